"""Verdicts on the requests: whether OpenStack accepts them, whether traffic works, how fast nodes come and go."""
