"""Rules about the Secret with a cloud.conf, the workload that reads it, and tools that rewrite it."""
