"""The running cluster: what the API server says becomes documents that the linter reads like files.

Rooms, low to high: `access` (requests to the API server), `live` (the snapshot and its findings), `octavia` (the load
balancers beside it), then `drift` (a cluster and its files), `fixing` (patches and restarts), `conformance` (load
balancers that are made and used) and `fleet` (many clusters), which know nothing of each other. They
reach the rest of the package through `core` alone.
"""
