"""`cluster conformance`: tries load balancers on a running cluster, says which step fails and why, and removes them.

From low to high::

    records.py      what was measured, as plain records
    cases.py        the cases and their steps, as data
    echo.py         the workload's answers; objects.py: what is created
    session.py      requests to the API server: time limits, retries, waiting
    stage.py        one request from here, and what the steps of a case share; steps/: what each kind of step does
    prediction.py   what ccmcheck predicts for the Service; delays.py: measured beside it
    cleanup.py      removal by the label of the run; interrupts.py: Ctrl-C and SIGTERM
    run.py          the cases, one after another, and the likely cause of what fails
    forms/          text, JSON, JUnit, SCS, Sonobuoy

Everything that changes the cluster goes through `ccmcheck.cluster.access.writing`.
"""
