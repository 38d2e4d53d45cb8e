"""What gcfg itself refuses or silently cuts: characters, headers, quotes, comments, continuation."""
