from __future__ import annotations

from pathlib import Path

import pytest
from rendering_aids import CLOUDS, Folder


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Folder:
    """An empty folder."""
    return Folder(tmp_path, monkeypatch, capfd)


@pytest.fixture
def folder(bare: Folder) -> Folder:
    """A folder with a clouds.yaml of two clouds."""
    bare.write("clouds.yaml", CLOUDS)
    return bare
