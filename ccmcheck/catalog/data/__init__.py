"""Facts as Python literals, most of them written by `ccmcheck.catalog.generate`."""
