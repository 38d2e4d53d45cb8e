"""Drift: what a checkout holds beside what runs, compared by meaning.

`pairs` finds what belongs together ▶ `settings`, `workloads` and `services` compare ▶ `sync` predicts
what applying the checkout changes ▶ `report` writes what `records` holds.
"""
