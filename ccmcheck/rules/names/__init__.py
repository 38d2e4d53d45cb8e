"""Rules about names that the CCM silently ignores: unknown, in the wrong section, or of another release."""
