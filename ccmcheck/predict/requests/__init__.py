"""The requests that the CCM sends to OpenStack, by release: the load balancer spec, and the calls that reconcile it."""
