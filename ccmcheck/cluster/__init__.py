"""The running cluster: what the API server says becomes documents that the linter reads like files.

One way: `client` (the only importer of the kubernetes package) ▶ `transport` (GET alone, limits, retries) ▶ `pages` ▶
`snapshot` (what is read, and what could not be) ▶ `documents` (objects as YAML) ▶ the engine of `lint` ▶ `places`
(findings name object and field).
"""
