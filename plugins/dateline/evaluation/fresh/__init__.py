"""FreshQA's parts: the settings that are compared, the ways of answering, the options."""
