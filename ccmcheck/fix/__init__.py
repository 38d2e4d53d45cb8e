"""Turns findings into the smallest change that does what was meant, checks each before it counts, and writes files."""
