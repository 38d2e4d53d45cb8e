"""Moves from one provider to another: the new cloud.conf, the steps, and what becomes of live Services."""
