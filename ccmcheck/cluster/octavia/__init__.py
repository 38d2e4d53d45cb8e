"""OpenStack's side of a cluster: the load balancers, floating IPs and security groups of its Services, read with GET.

::

    client.py       the only importer of openstacksdk: credentials, the token, an HTTP session that sends GET alone
    requests.py     every request as data; access_rules.py renders the rights of an application credential from it
    reader.py       lists in pages, members by pool: an `Inventory`
    names.py        what the CCM's names, tags and descriptions say, read from the right
    balancers.py    an inventory's load balancers as the prediction's records
    wanted.py       what the CCM would make for each Service
    differences.py  the two beside each other, and what corrects each difference
    orphans.py      what no Service owns any more
"""
