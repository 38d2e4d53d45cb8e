"""Profiles: a site's requirements for cloud.conf, read by configobj, checked, and evaluated against files."""
