"""Training and assessment of certainty classifiers (GrowOVER, section 4.1)."""
