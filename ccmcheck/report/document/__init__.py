"""The document model of reports: blocks, and their writers for a terminal, Markdown and HTML."""
