"""Reports as blocks, and how they are written as text, Markdown, JSON and HTML."""
