"""Pages about rules, keys, sections and annotations, made from the rule files and the catalogue."""
