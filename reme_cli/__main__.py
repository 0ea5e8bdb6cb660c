"""`python -m reme_cli` is `reme`."""

from reme_cli.cli import run

if __name__ == "__main__":
    raise SystemExit(run())
