"""Rules about the login to Keystone: credentials, certificates, clouds.yaml, and who can read them."""
