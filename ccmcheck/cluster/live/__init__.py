"""A running cluster as texts.

`snapshot` (what is read, and what could not be) ▶ `lint`, the engine on them ▶ `places` (findings name object and
field), or ▶ `reports` (our Report objects in the cluster).
"""
