"""A small client for chromedriver, by the W3C's WebDriver protocol; the only browser that the tests know."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

OPENER = build_opener(ProxyHandler({}))
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-proxy-server",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)
STARTING = 60
"""Seconds that a busy machine may take to start it."""


def missing() -> str:
    """Why there is no browser to test with; empty where there is one."""
    absent = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"there is no {' and no '.join(absent)}" if absent else ""


class Browser:
    """One session of a browser."""

    def __init__(self, base: str, options: dict[str, Any]) -> None:
        self.base = base
        self.session = ""
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": options}})
        self.session = f"/session/{made['sessionId']}"

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310 - loopback
        try:
            with OPENER.open(request, timeout=STARTING) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            failure = json.load(error)["value"]
            raise AssertionError(f"{method} {path}: {failure['error']}: {failure['message'].splitlines()[0]}") from None

    def post(self, path: str, **body: Any) -> Any:
        return self.call("POST", self.session + path, body)

    def open(self, url: str) -> None:
        self.post("/url", url=url)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.post("/execute/sync", script=script, args=list(arguments))

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)

    def size(self, width: int, height: int = 900) -> None:
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def media(self, media: str = "", **features: str) -> None:
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.devtools("Emulation.setEmulatedMedia", media=media, features=listed)

    def log(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.post("/se/log", type=kind)
        return found

    def press(self, *keys: str) -> None:
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("/actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def picture(self) -> str:
        """A screenshot of the whole page, as base64."""
        found = self.devtools("Page.captureScreenshot", captureBeyondViewport=True)
        return str(found["data"])


@contextmanager
def browsing(profile: Path) -> Iterator[Browser]:
    """Start a browser with an empty profile, and end it."""
    with subprocess.Popen(
        [str(shutil.which("chromedriver")), "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as driver:
        try:
            base = f"http://127.0.0.1:{_port(driver)}"
            options = {
                "goog:chromeOptions": {
                    "binary": shutil.which("chromium"),
                    "args": [*ARGUMENTS, f"--user-data-dir={profile}"],
                },
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }
            browser = Browser(_ready(base), options)
            try:
                yield browser
            finally:
                browser.call("DELETE", browser.session)
        finally:
            driver.terminate()


def _port(driver: subprocess.Popen[str]) -> int:
    assert driver.stdout is not None
    for line in driver.stdout:
        if " on port " in line and "started" in line:
            return int(line.rstrip(".\n").rpartition(" ")[2])
    raise AssertionError("chromedriver ended before it said where it listens")


def _ready(base: str) -> str:
    end = time.monotonic() + STARTING
    while True:
        try:
            with OPENER.open(f"{base}/status", timeout=5) as answer:
                if json.load(answer)["value"]["ready"]:
                    return base
        except (URLError, ConnectionError):
            if time.monotonic() > end:
                raise
        time.sleep(0.1)
