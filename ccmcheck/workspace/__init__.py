"""The files of a run: discovery, what changed, what they tell together, and ccmcheck's own configuration."""
