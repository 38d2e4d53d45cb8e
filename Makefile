# Everything runs in a virtual environment of its own, .venv, which make sets up and keeps as long as pyproject.toml is
# unchanged. The only thing needed beforehand is Python 3.11 or newer; PYTHON=… names one.

VENV ?= .venv
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,$(shell \
	command -v $(name) >/dev/null 2>&1 && $(name) -c $(NEW_ENOUGH) >/dev/null 2>&1 && echo $(name))))
NEW_ENOUGH := 'import sys; sys.exit(sys.version_info < (3, 11))'

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --no-input
WORKS := $(shell $(BIN)/python -c 'import pip' >/dev/null 2>&1 && echo yes)

# a linter that is compiled again at every start is twice as slow
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo demo-cluster test attack check bench calls mutants truth catalog docs examples clean force

help:
	@echo 'make demo      run ccmcheck on samples/'
	@echo 'make demo-cluster   start a Kubernetes cluster and run ccmcheck cluster at it (without Go: what was recorded)'
	@echo 'make test      run the tests, of the longest lists of cases a part; CI=true make test: all of them'
	@echo 'make attack    attack every command, over and over; ARGS="--count 1000 --seed 7"'
	@echo 'make check     ruff and mypy'
	@echo 'make truth     run the real CCM beside ccmcheck again, every release (needs Go)'
	@echo 'make catalog RELEASE=v1.36.0   bring a release of the CCM into the catalog (needs Go); SOURCE=DIR names a checkout'
	@echo 'make bench     measure the goals of speed and memory'
	@echo 'make calls     count the calls of the package, and compare them with what is recorded'
	@echo 'make mutants   change the code where a mistake would hurt most, and see whether the tests notice'
	@echo 'make docs      build the static site of the guides and all rules, keys and annotations'
	@echo 'make examples  write the outputs of the examples into README.md and the guides'
	@echo 'make clean     remove $(VENV) and what tools left behind'

# exit code 1 means that there were findings: samples/ is made of mistakes
demo: $(VENV)/installed
	$(BIN)/ccmcheck --version
	$(BIN)/ccmcheck lint samples/ || test $$? -eq 1
	$(BIN)/ccmcheck fix --diff samples/

demo-cluster: $(VENV)/installed-cluster
	$(BIN)/python tests/truth/kube/kube_demo.py

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -n auto --dist loadgroup -r fEs $(ARGS)

attack: $(VENV)/installed-dev
	$(BIN)/python tests/attack/attack.py $(ARGS)

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

truth: $(VENV)/installed-dev
	$(BIN)/python tests/truth/run.py $(or $(ARGS),all)

catalog: $(VENV)/installed-dev
	$(if $(RELEASE),,$(error name the release: make catalog RELEASE=v1.36.0))
	$(BIN)/python tests/truth/catalog/catalog_update.py $(RELEASE) $(if $(SOURCE),--source '$(SOURCE)') $(ARGS)

bench: $(VENV)/installed-dev
	$(BIN)/python tests/perf/bench.py $(ARGS)

calls: $(VENV)/installed-dev
	$(BIN)/python tests/perf/counted_calls.py $(ARGS)

mutants: $(VENV)/installed-dev
	$(BIN)/python tests/mutants/mutants.py $(ARGS)

docs: $(VENV)/installed-dev
	$(BIN)/python tests/project/docs_site.py $(ARGS)

examples: $(VENV)/installed-dev
	$(BIN)/python tests/project/json_schemas.py
	$(BIN)/python tests/project/readme_outputs.py
	git diff --stat -- README.md ccmcheck/docs

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# the stamps: what is installed, as of which pyproject.toml
$(VENV)/installed: pyproject.toml $(VENV)/pyvenv.cfg
	$(PIP) install --editable .
	@touch $@

$(VENV)/installed-cluster: pyproject.toml $(VENV)/pyvenv.cfg
	$(PIP) install --editable '.[cluster,octavia]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-dev: pyproject.toml $(VENV)/pyvenv.cfg
	$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/installed $(VENV)/installed-cluster

# made again where its interpreter is gone, as after an upgrade of the system's Python
$(VENV)/pyvenv.cfg: $(if $(WORKS),,force)
	$(if $(PYTHON),,$(error there is no Python 3.11 or newer; name one with make PYTHON=/path/to/python3))
	$(PYTHON) -m venv --clear $(VENV)
