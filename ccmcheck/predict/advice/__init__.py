"""What should be changed: by the create-monitor matrix, for cloud.conf and for single Services."""
