# One verb a gate; `make help` lists them. Each makes .venv by itself, and makes it again when a pyproject.toml changes.
# Python 3.11 or later and make are all that is needed; what else a verb can use is said at the verb.

PYTHON ?= python3
SOAK_EXAMPLES ?= 2000
# The order of the tests, another one each time; `make test SEED=...` repeats one.
ifndef SEED
SEED := $(shell date +%s)
endif

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
PYTEST = echo "tests in the order of SEED=$(SEED)" && $(PY) -m pytest -q --randomly-seed=$(SEED)
NODE := sample_bots/node
SOURCES := arena referee sample_bots/python/src bench scripts tests

.PHONY: help demo test test-full soak coverage mutants check format lint types imports wire docs proto golden bench install clean
.DEFAULT_GOAL := help

help: ## list the verbs
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | awk -F'|' '{printf "  make %-10s %s\n", $$1, $$2}'

demo: $(VENV)/arena.made try-node ## play a whole tournament of six bots and show who won; at most two minutes
	@$(BIN)/arena demo

test: $(VENV)/dev.made try-node ## the tests that need nothing but Python and make; what else is missing is skipped
	@$(PYTEST)

test-full: $(VENV)/dev.made ## all tests; installs what is missing where it may, and nothing may be skipped
	@$(PY) scripts/system_tools.py
	@$(MAKE) --no-print-directory $(NODE)/node_modules/.made
	@$(PYTEST) -m "" -p tests.support.nothing_skipped

soak: $(VENV)/dev.made ## hours: properties with many more examples, every variant, chaos, every misbehaving bot, millions of mutated messages, noise
	@export SOAK_EXAMPLES=$(SOAK_EXAMPLES) && $(PYTEST) -m hypothesis -p tests.support.soak --timeout=3600
	@$(PY) -m tests.naive --deals 100000
	@$(PY) -m tests.rules.openspiel --deals 20000
	@$(PY) -m tests.e2e.variants
	@$(PY) -m tests.e2e.chaos
	@$(PY) -m tests.e2e.misbehaving
	@$(PY) -m tests.fuzz.messages
	@$(PY) -m tests.fuzz.ports

coverage: $(VENV)/dev.made ## that the tests of rules and table reach every branch of them
	@$(PY) -m pytest -q tests/rules tests/table --cov=referee.rules --cov=referee.table --cov-branch \
	  --cov-fail-under=100 --cov-report=term-missing:skip-covered

mutants: $(VENV)/mutants.made ## change the rules in one place after the other: some test must notice; half an hour on an idle core
	@$(PY) scripts/mutants.py

check: format lint types imports wire docs ## format, lint, types, imports, wire contract, documents

format: $(VENV)/dev.made
	@$(BIN)/ruff format --check --quiet . || { echo "run: $(BIN)/ruff format"; exit 1; }
	@echo "format: clean"

lint: $(VENV)/dev.made
	@$(BIN)/ruff check --quiet .
	@echo "lint: clean"

types: $(VENV)/dev.made
	@$(BIN)/mypy --strict

imports: $(VENV)/dev.made
	@$(BIN)/lint-imports

wire: $(VENV)/dev.made
	@cd proto && ../$(BIN)/buf format --diff --exit-code
	@cd proto && ../$(BIN)/buf lint
	@cd proto && ../$(BIN)/buf breaking --against baseline.binpb
	@$(PY) scripts/gen_proto.py --check
	@echo "wire: formatted, linted, compatible with the baseline, generated code fresh"

docs: $(VENV)/dev.made
	@$(PY) -m pytest -q tests/test_docs.py

proto: $(VENV)/dev.made ## generate the Python code of the wire contract again
	@cd proto && ../$(BIN)/buf format --write
	@$(PY) scripts/gen_proto.py

golden: $(VENV)/dev.made ## write vectors and expected outputs again; then read the difference
	@$(PY) -m tests.rules.regenerate
	@UPDATE_GOLDEN=1 $(PY) -m pytest -q -m "" $$(grep -rl assert_golden tests --include='test_*.py')
	@git --no-pager diff --stat -- tests

bench: $(VENV)/dev.made ## measure; writes build/bench.json
	@$(PY) -m bench

install: $(VENV)/dev.made ## only make .venv, tools for development included

clean: ## remove what make and the tools have made
	rm -rf $(VENV) build dist $(NODE)/node_modules .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# --- what the verbs stand on

PIP := $(PY) -m pip --disable-pip-version-check --quiet

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is needed, and $(PYTHON) is not: say which with make PYTHON=python3.12"; exit 1; }
	@echo "making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@# Older ones know no dependency groups.
	@$(PIP) install --upgrade "pip>=25.1"
	@touch $@

$(VENV)/arena.made: $(VENV)/made pyproject.toml sample_bots/python/pyproject.toml
	@echo "installing the arena and its kit into $(VENV) ..."
	@$(PIP) install -e sample_bots/python -e .
	@touch $@

$(VENV)/dev.made: $(VENV)/arena.made
	@echo "installing the tools for development into $(VENV) ..."
	@$(PIP) install --group dev
	@touch $@

$(VENV)/mutants.made: $(VENV)/dev.made
	@$(PIP) install --group mutants
	@touch $@

$(NODE)/node_modules/.made: $(NODE)/package-lock.json
	@echo "installing the packages of the JavaScript bot ..."
	@cd $(NODE) && npm ci --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

# Node is welcome, not needed: without it the bots in JavaScript stay away.
.PHONY: try-node
try-node:
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
	  $(MAKE) --no-print-directory $(NODE)/node_modules/.made || echo "npm failed: going on without the JavaScript bot"; \
	fi
