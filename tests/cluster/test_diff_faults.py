"""`cluster diff` shows no secret, sends nothing but GET, and says what could not be read."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from api_faults import status
from api_server import (
    cluster,
)
from cluster_runs import failures
from diff_runs import (
    ARGS,
    SECRET,
    WEB_ANNOTATION,
    ccm,
    config,
    diff,
    differences,
    live_web,
)
from live_objects import PODS, RIGHT, SERVICES

if TYPE_CHECKING:
    from pathlib import Path


MANAGED_ELSEWHERE = "an-other-password-in-git"


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
@pytest.mark.parametrize("verbose", ["-q", "-v", "-vv"])
def test_a_password_differs_and_is_never_shown(form: str, verbose: str, tmp_path: Path) -> None:
    text = RIGHT.replace("hunter2-is-the-secret", MANAGED_ELSEWHERE)
    done = diff(tmp_path, None, verbose, form=form, secret=config(text))
    assert done.code == 1
    assert "password" in done.out
    assert "differs" in done.out or '"is_secret": true' in done.out
    encoded = [base64.b64encode(one.encode()).decode().rstrip("=") for one in (RIGHT, text)]
    for canary in ("hunter2", MANAGED_ELSEWHERE, *encoded):
        assert canary not in done.said


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_secret_in_the_wrong_place_is_never_shown(form: str, tmp_path: Path) -> None:
    text = RIGHT.replace("region = RegionOne", "region = hunter2-is-the-secret")
    done = diff(
        tmp_path,
        live_web(annotations={WEB_ANNOTATION: "hunter2-is-the-secret"}),
        "-vv",
        form=form,
        secret=config(text),
        ccm=ccm(*ARGS, "--user-agent=hunter2-is-the-secret", "--kubeconfig=hunter2-is-the-secret"),
    )
    assert done.code == 1
    assert "hunter2" not in done.said


def test_a_secret_that_cannot_be_read_leaves_the_rest_compared(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    server.fail(SECRET, status(403, "secrets is forbidden: hunter2-is-the-secret"))
    done = diff(tmp_path, server, ccm=ccm(*ARGS, "--leader-elect=false"))
    assert done.code == 3
    assert differences(done) == {"--leader-elect": ("false", "true")}
    assert failures(done) == {"Secret kube-system/cloud-config": "HTTP 403: the credentials do not allow it"}
    assert "hunter2" not in done.said


@pytest.mark.parametrize("status_code", [401, 403, 404, 409, 410, 422, 429, 500])
def test_no_body_of_an_error_is_shown(status_code: int, tmp_path: Path) -> None:
    server = cluster(RIGHT)
    for path in (SECRET, SERVICES, PODS, "/api/v1/nodes"):
        fault = status(status_code, "hunter2-is-the-secret")._replace(headers=(("Retry-After", "99"),))
        server.fail(path, fault)
    done = diff(tmp_path, server, "-vv", form="text")
    assert done.code == 3
    assert "hunter2" not in done.said
    assert "Traceback" not in done.said


def test_nothing_but_get_is_sent(tmp_path: Path) -> None:
    server = cluster(RIGHT)
    diff(tmp_path, server, ccm=ccm("--cluster-name=x"))
    assert {asked.method for asked in server.asked} == {"GET"}
