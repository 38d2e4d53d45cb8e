"""A change of a file as something that another tool applies: kubectl, kustomize, Cluster API, git.

Each format is a module of its own with one function, ``make``, which turns an `ObjectChange` into the plain data
of a patch; `ccmcheck.fix.patch.formats` lists them. All but git's are made from the objects before and after, so that
they do what ``--write`` does, whatever the file's own spelling of them is.
"""
