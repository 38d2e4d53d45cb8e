"""The objects around a cloud.conf: the Secret that holds it, the workload that reads it, who rewrites it on the way."""
