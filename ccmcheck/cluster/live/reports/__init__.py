"""Report objects of openreports.io in a cluster: which of them are ours, and how they follow the findings."""
