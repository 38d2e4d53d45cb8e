"""What another release of the CCM does: to the keys of a cloud.conf, to behaviour, to each Service."""
