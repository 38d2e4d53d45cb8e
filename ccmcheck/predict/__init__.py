"""Predicts what the CCM of one release asks Octavia for, and what comes of it.

::

    inputs/ ─requests/─▶ what the CCM asks for ─verdicts/─▶ what comes of it ─advice/─▶ what to change ─forms/─▶ text

`predict` is the whole of it, `follow` the CCM's side alone: pure, without I/O, and raising nothing.
"""
