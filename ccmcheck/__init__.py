"""Reads a cloud.conf exactly as the OpenStack cloud-controller-manager does, and says what is wrong and where."""

__version__ = "0.1.0"
