"""Drift: what a checkout holds beside what runs, compared by meaning.

`checkout` and `pairs` find what belongs together ▶ `settings`, `workloads` and `services` compare ▶ `sync` predicts
what applying the checkout changes ▶ `report` and `json_form` write `records`.
"""
