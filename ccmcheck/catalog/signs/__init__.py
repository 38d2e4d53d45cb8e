"""What a text is: the table of signs, and the scorer that weighs those that a text has."""
