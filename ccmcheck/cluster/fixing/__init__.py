"""`cluster fix`: what the fixes of the rules change in live objects, who may be overruled, and how it is written.

One way: `changes` (fixes as merge patches) ▶ `verdict` (who owns the fields) ▶ `backup` ▶ `write`
(dry run, patch, audit line) ▶ `rollout` (restart the CCM, wait, go back).
"""
