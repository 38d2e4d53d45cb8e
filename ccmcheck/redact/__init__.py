"""Redaction: what of a text may be shown (contract 5 of the design); all output of files' contents passes through here.

A value is shown where it is **known to be harmless**, never because it does not look like a secret:

* its key is public in the catalogue, or Kubernetes' own; userinfo and queries of URLs are masked all the same;
* its key is unknown, but not secret-like under Unicode folding, and the value is a boolean, a duration, a number of up
  to five digits, a CIDR, or a word that the catalogue lists.

`names` decides about keys, `values` about values, `secrets` finds the values of secret keys in a text of any form,
`lines` decides line by line what a shown line hides, `masker` applies both to lines and messages, `report` to records.
"""

MASK = "****"


def masked_heading(subject: str) -> str:
    """The first line of a masked text that a tool could apply: no reader of JSON, YAML or cloud.conf gets past it.

    Without it a mask would take the place of a password that works.

    Args:
        subject: What the text is: ``patch``, ``file``.
    """
    return (
        f"{MASK} masked: this {subject} holds secrets and does not apply as it is shown; "
        f"--with-secrets shows it whole {MASK}\n"
    )
