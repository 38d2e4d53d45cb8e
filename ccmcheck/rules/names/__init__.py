"""Names that the CCM does not know, knows elsewhere, or knows in another release; it drops them all without a word."""
