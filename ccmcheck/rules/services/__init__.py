"""Rules about Kubernetes Services: what they ask for, by what holds in the end, and what comes of it."""
