"""Cloud.confs and manifests written in files of other languages: scripts, Terraform, documents, Go templates.

Each scanner knows so much of its language that it finds where such a text begins and ends; none of them runs anything.
`languages` decides by a file's name and first lines which one reads it, `search` searches what they find.
"""
