"""Rules about Cluster API's objects, and about settings of the CCM that depend on them."""
