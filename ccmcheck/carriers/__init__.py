"""Where a cloud.conf hides: one file a kind of carrier."""
