"""What the CCM asks OpenStack for: what is wanted of a Service, and the calls that bring it about, by release."""
