"""Cluster API's templates: what machines are told of the cloud, and what of the CCM's settings depends on it."""
