"""How the CCM reaches Keystone: credentials, certificates, clouds.yaml, and who can read them."""
