# Everything a developer does. Needs Python 3.11 or newer and make; each target sets up what it needs.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.installed
DEMO   := demo-vault
TESTS  ?=

.DEFAULT_GOAL := help
.PHONY: help setup demo test check format docs transcripts bench clean

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: $(READY) ## make .venv with reme and its tools

# the stamp is older than pyproject.toml only when what is to be installed may have changed
$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY) ## ten days of sample notes become a memory, without any model or key
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh docs/demo.sh $(DEMO)

test: $(READY) ## run the tests
	$(BIN)/python -m pytest -n 2 $(TESTS)

check: $(READY) ## what CI runs: format, lint, types, import contracts, docs, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check
	$(BIN)/python -m pytest -n 2

format: $(READY) ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY) ## rewrite docs/commands.md and docs/lint/ from the code
	$(BIN)/python docs/generate.py

transcripts: $(READY) ## run every console block and the reports of lint again and write what they print; read the diff
	REWRITE_TRANSCRIPTS=1 $(BIN)/python -m pytest tests/test_transcripts.py tests/lint/test_every_finding.py

bench: $(READY) ## run the benchmarks
	@for file in benchmarks/[a-z]*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

clean: ## remove what make made
	rm -rf $(VENV) $(DEMO) build dist .hypothesis .mypy_cache .ruff_cache .import_linter_cache
