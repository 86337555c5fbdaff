"""Training and assessment of certainty classifiers over hidden states (GrowOVER, section 4.1)."""
