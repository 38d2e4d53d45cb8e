"""What comes of it: whether OpenStack takes the requests, whether traffic works, how fast nodes come and go."""
