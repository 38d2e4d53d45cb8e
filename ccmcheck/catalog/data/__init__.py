"""Facts as Python literals, many of them generated from tests/truth/catalog/catalog_facts."""
