"""Predicts which requests the CCM of one release sends to Octavia for a Service, and whether traffic works afterwards.

From low to high, with no import against the order::

    records.py     the prediction as plain records
    drivers/       Octavia's drivers as data, one file each
    inputs/        the configuration, the Service, and the state of the cloud
    requests/      the load balancer spec and the requests that reconcile it
    verdicts/      Octavia's answers; traffic, detection, load, quota; findings
    pipeline.py    all of that for one Service
    advice/        other settings, tried through the pipeline; conformance.py: the tests of the SCS standard
    forms/         text, Markdown, JSON

The entry is `ccmcheck.predict.pipeline.predict`; `ccmcheck.predict.requests.reconcile.follow` is the CCM's side alone.
Both are pure, do no I/O and never raise.
"""
