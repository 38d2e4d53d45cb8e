"""Rules about Kubernetes Services of type LoadBalancer: their annotations, ports and policies."""
