"""Helpers that several rules share: fixes, views of the configuration, mounts, workloads."""
