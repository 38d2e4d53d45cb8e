"""What several rules need: fixes, spelling, mounts, workloads."""
