"""Many clusters side by side: where they come from, what is read of each, and what they have in common.

One way: `targets` (kubeconfigs, a folder of them, Cluster API) ▶ `credentials` (a kubeconfig in memory, without running
what it names) ▶ `connection` ▶ `examine` (one cluster, as `cluster lint` reads it) ▶ `workers` (threads and processes)
▶ `results` (one JSON line a cluster) ▶ `summary` (the table, and what many have in common) and `across` (what they
share and should not) ▶ `forms`.
"""
