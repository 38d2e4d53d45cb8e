"""Kubernetes objects and Services as rules see them."""
