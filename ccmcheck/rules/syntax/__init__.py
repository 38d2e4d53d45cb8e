"""Rules about syntax that gcfg rejects or silently changes: characters, headers, quotes, comments, line continuation."""
