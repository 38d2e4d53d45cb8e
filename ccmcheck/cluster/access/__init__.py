"""The way to an API server.

`client` (the only importer of the kubernetes package) ▶ `transport` (GET alone, limits, retries) ▶ `pages`. `writing`
is the one other connection; `requests` and `rights` say as data what is asked.
"""
