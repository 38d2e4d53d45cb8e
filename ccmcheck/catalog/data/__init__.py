"""Facts as Python literals, many of them generated from ccmcheck/catalog/sources."""
