"""What is wanted, as data with its reasons: the create-monitor matrix, the timers of its monitors, and profiles."""
