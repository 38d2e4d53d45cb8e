"""Kustomize's overlays, built with the place of every value: what runs is what is judged, where it is set."""
