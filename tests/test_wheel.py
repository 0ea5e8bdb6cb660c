"""The wheel works where the checkout is not."""

from __future__ import annotations

import email
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import PROJECT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    place = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    command = [
        *pip,
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(place),
        str(PROJECT),
    ]
    subprocess.run(command, check=True)
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`reme` in a fresh environment that has the wheel itself, and the dependencies of the one that runs the tests."""
    place = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(place, with_pip=False)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*command, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    packages = next(place.glob("[Ll]ib/**/site-packages"))
    # site-packages of the environment itself come first, so it is the wheel's reme that runs
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return python.with_name("reme")


def run(reme: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(reme), *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def test_what_the_wheel_carries(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    names = set(archive.namelist())
    for folder in ("prompts", "vault_template"):
        files = {
            f"reme_cli/_resources/{path.relative_to(PROJECT).as_posix()}"
            for path in (PROJECT / folder).rglob("*")
            if path.is_file()
        }
        assert files
        assert files <= names
    page = PROJECT / "reme_cli" / "graph" / "page"
    assert {path.relative_to(PROJECT).as_posix() for path in page.rglob("*") if path.is_file()} <= names
    (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    told = email.message_from_bytes(archive.read(metadata))
    assert told["License-Expression"] == "Apache-2.0 AND ISC"
    licences = told.get_all("License-File", [])
    assert licences == ["LICENSE", "reme_cli/graph/page/vendor/LICENSE"]
    for licence in licences:
        assert (
            archive.read(metadata.replace("METADATA", f"licenses/{licence}"))
            == (PROJECT / licence).read_bytes()
        )
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "docs/"))]


def test_it_runs_elsewhere(installed: Path, tmp_path: Path) -> None:
    made = run(installed, "init", "memory", "--demo", "--json", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    vault = tmp_path / "memory"
    code = "import reme_cli; print(reme_cli.__file__)"
    where = subprocess.run(
        [str(installed.with_name("python")), "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not Path(where.stdout.strip()).is_relative_to(PROJECT)
    dreamed = run(installed, "auto_dream", "date=2026-06-11..2026-06-20", "engine=extractive", cwd=vault)
    assert dreamed.returncode == 0, dreamed.stderr
    assert list((vault / "digest").rglob("*.md"))
    # the prompts are found too: what is missing is only the model
    (vault / "daily" / "2026-06-21.md").write_text("A new day.\n")
    asked = run(installed, "auto_dream", "date=2026-06-21", cwd=vault)
    assert (asked.returncode, "llm.model" in asked.stderr) == (3, True)
