"""Predictions for people and for programs: text, Markdown, JSON."""
