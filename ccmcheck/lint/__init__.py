"""Linting: rules over files, suppressions, the baseline, and many files at once."""
