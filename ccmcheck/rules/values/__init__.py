"""Values of one key: what the CCM cannot parse, and what it parses as something else than was meant."""
