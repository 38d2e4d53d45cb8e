"""What is recommended, as data with its reasons: the create-monitor matrix and the timers of its monitors."""
