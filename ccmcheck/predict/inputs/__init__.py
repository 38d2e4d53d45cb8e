"""What a prediction starts from: the configuration, the Service with its annotations, the cloud, read from files."""
