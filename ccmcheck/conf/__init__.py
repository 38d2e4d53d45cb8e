"""One cloud.conf: read as a release reads it, its effective configuration, and the view of it that a rule sees."""
