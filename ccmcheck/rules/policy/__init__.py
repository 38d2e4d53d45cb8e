"""What a site wants besides: rules that judge by a profile."""
