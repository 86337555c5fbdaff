"""Bad replies to every prompt: what is believed, and what it costs."""
