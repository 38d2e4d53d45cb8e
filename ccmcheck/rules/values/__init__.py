"""Rules about single values: invalid, or with another meaning than intended."""
