"""Whether create-monitor should be on: the decision matrix, timers, and what is known of the question."""
