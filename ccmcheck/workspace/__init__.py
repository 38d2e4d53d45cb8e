"""The files of a run: discovery, git, changed files, one survey of their contents, and the configuration."""
