"""Rules about the requirements of profiles."""
