"""OpenStack's side of a cluster: the load balancers, floating IPs and security groups of its Services, read with GET.

::

    client.py       the only importer of openstacksdk: credentials, the token, an HTTP session that sends GET alone
    requests.py     every request as data, and the access rules of an application credential made of it
    transport.py    time limits, retries and pages; what fails, in words
    reader.py       lists of a project, members by pool: an `Inventory`
    names.py        what the CCM's names, tags and descriptions say, read from the right
    services.py     the Services as owners; orphans.py: what none of them owns any more
    live.py         a snapshot that keeps Services and nodes, beside what Octavia has
    comparison.py   each Service beside its load balancer, and what the next sync leaves of a difference;
                    differences.py, neutron_differences.py and health.py look at parts
    resync.py       what a sync corrects, and what triggers one
"""
