"""Lenses on texts within texts, one a file, and the stack that carries places and changes through them."""
