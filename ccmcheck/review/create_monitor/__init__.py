"""Why create-monitor is opt-in, and whether it should be on here: the page that answers it, in three forms."""
