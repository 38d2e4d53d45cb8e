"""ValidatingAdmissionPolicies made of the rules about Services, as far as CEL can say them for one configuration.

A rule is written as regions: a CEL expression, and a Service for which it holds. The rule itself judges that Service by
the configuration; where it reports a problem, the region becomes a part of the rule's policy, with the rule's words.
"""
