"""Asks OpenStack, before anything is deployed, whether what a cloud.conf and its Services name exists and fits.

login.py       the credential of a cloud.conf, as the CCM uses it, and what Keystone says to it
cloud.py       one project: what was asked, each thing once, within a limit
references.py  the IDs and names that a deployment names, and whether each exists
networks.py    whether networks, subnets and routers fit together
services.py    what the CCM would ask for, in the cloud as it is: refusals, quotas, names
report.py      the list as text, Markdown and JSON
"""
