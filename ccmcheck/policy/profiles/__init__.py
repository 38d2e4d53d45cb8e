"""What a site wants of a cloud.conf: profiles read by configobj, their wishes checked and judged."""
