"""What is deployed: a CCM with its cloud.conf, its release, its Services and its cloud, put together from files."""
