"""Rules about the settings of [LoadBalancer]: monitors, providers, algorithms, security groups."""
