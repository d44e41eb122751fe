# Two commands: `make run` (the main job) and `make test`. Both make .venv first and reuse it later.
#
# torch is pinned so that every step resolves to the same build. On Linux the default build carries CUDA (several GB);
# for the CPU build pass PyTorch's CPU index:  make run PIP_FLAGS="--index-url <PyTorch's CPU index>"  on the first call.
PYTHON ?= python3
TORCH ?= torch==2.13.0
PIP_FLAGS ?=
CONSTRAINTS ?= -c constraints.txt
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
TIME := date +%s

.PHONY: run site test test-all test-numpy test-ray test-install fuzz fuzz-aimed mutants lint docs picture bench clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(STAMP): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install -q $(PIP_FLAGS) $(TORCH)
	$(BIN)/python -m pip install -q $(TORCH) -e '.[fast,torch,bounds,atlas]'
	touch $@

$(DEV_STAMP): $(STAMP) pyproject.toml constraints.txt
	$(BIN)/python -m pip install -q $(CONSTRAINTS) $(TORCH) -e '.[dev]'
	touch $@

run: $(STAMP)
	@start=$$($(TIME)); \
	$(BIN)/separatrix verify --all --out build/ && \
	$(BIN)/separatrix decide --all --states 3 --out build/decided && \
	$(BIN)/separatrix records --out build/records && \
	$(BIN)/separatrix atlas --certificates build/certificates --records build/records --out atlas && \
	echo "make run took $$(( $$($(TIME)) - start )) s after the install"

# Atlas, documentation and API reference as one static folder, to be put on any server; fails where a link leads nowhere.
site: run
	$(BIN)/python -m docs.site --atlas atlas --out site

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(STAMP)
	$(BIN)/python -m separatrix.papers.pages docs

# The pictures of README from shipped rows. BROWSER=chromium also takes the front page of the atlas that `make run` wrote.
BROWSER ?=
picture: $(STAMP)
	$(BIN)/python -m docs.site.pictures $(if $(BROWSER),--atlas atlas --browser $(BROWSER))

test: $(DEV_STAMP)
	@start=$$($(TIME)); \
	$(MAKE) --no-print-directory lint && \
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 && \
	echo "make test took $$(( $$($(TIME)) - start )) s after the install"

# Slower: every test with 300 seeded kills instead of 15, those marked `slow`, and the checker under two versions of NumPy.
test-all: $(DEV_STAMP)
	SEPARATRIX_FAULTS=300 $(MAKE) --no-print-directory test
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 -m slow
	$(MAKE) --no-print-directory test-numpy

# What the checker says of every certificate of `make run`, and of the conformance vectors, is the same under NumPy 1.26 and the one
# installed, with one thread and two.
# The checker needs NumPy alone, so 1.26 has a .venv of its own; PYTHON_126 is a Python that it has wheels for: 3.11 or 3.12.
PYTHON_126 ?= $(PYTHON)
NUMPY := build/numpy
test-numpy: $(STAMP)
	rm -rf $(NUMPY) && mkdir -p $(NUMPY)/checked
	$(PYTHON_126) -m venv $(NUMPY)/venv
	$(NUMPY)/venv/bin/python -m pip install -q 'numpy==1.26.*'
	$(BIN)/separatrix verify --all --out $(NUMPY)
	@for threads in 1 2; do for python in $(BIN)/python $(NUMPY)/venv/bin/python; do \
		version=$$($$python -c 'import numpy; print(numpy.__version__)'); \
		echo "NumPy $$version, threads: $$threads"; \
		OMP_NUM_THREADS=$$threads OPENBLAS_NUM_THREADS=$$threads PYTHONPATH=. \
			$$python -m separatrix.checker --json $(NUMPY)/certificates/*.json > $(NUMPY)/checked/$$version-$$threads.json || exit 1; \
		OMP_NUM_THREADS=$$threads OPENBLAS_NUM_THREADS=$$threads PYTHONPATH=. \
			$$python tests/vectors/conform.py $$python -m separatrix.checker --json || exit 1; \
	done; done
	$(BIN)/python tests/same_verdicts.py $(NUMPY)/checked/*.json

# Two real Ray nodes on this machine; installs Ray.
test-ray: $(DEV_STAMP)
	$(BIN)/python -m pip install -q $(CONSTRAINTS) $(TORCH) -e '.[dev,ray]'
	SEPARATRIX_RAY=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/runs/engines/test_ray.py

# The wheel without extras and the sdist with torch, each in a new environment and away from the sources; a few minutes.
INSTALL := build/install
test-install: $(BIN)/python
	rm -rf $(INSTALL) && mkdir -p $(INSTALL)
	$(PYTHON) -m venv $(INSTALL)/tool && $(INSTALL)/tool/bin/python -m pip install -q hatchling
	$(INSTALL)/tool/bin/python -m hatchling build -d $(INSTALL)/dist
	$(PYTHON) -m venv $(INSTALL)/base && $(INSTALL)/base/bin/python -m pip install -q $(INSTALL)/dist/*.whl
	$(PYTHON) tests/installed.py $(INSTALL)/base/bin/separatrix base
	$(PYTHON) -m venv $(INSTALL)/torch && $(INSTALL)/torch/bin/python -m pip install -q $(PIP_FLAGS) $(TORCH)
	$(INSTALL)/torch/bin/python -m pip install -q $(TORCH) "separatrix[torch,bounds] @ file://$$(ls $$(pwd)/$(INSTALL)/dist/*.tar.gz)"
	$(PYTHON) tests/installed.py $(INSTALL)/torch/bin/separatrix torch

# Forged certificates, judged; those that pass are tried by other code. COUNT=1000000 takes hours; FIRST goes on with a campaign.
COUNT ?= 20000
FIRST ?= 0
fuzz: $(DEV_STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.fuzz --count $(COUNT) --first $(FIRST)

# The same with aim: at the ends of number formats, at the checker's own constants, at invariants and margins; one core.
fuzz-aimed: $(DEV_STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.fuzz.aimed --count $(COUNT) --first $(FIRST)

# Single faults in the checker, and whether a test notices; takes an hour or two. SEED draws others.
MUTANTS ?= 60
SEED ?= 0
mutants: $(DEV_STAMP)
	$(BIN)/python -m tests.mutants --count $(MUTANTS) --seed $(SEED)

# Peers are installed by the extra `bench`, never by the package. Nothing else should run beside this.
bench: $(DEV_STAMP)
	$(BIN)/python -m pip install -q $(CONSTRAINTS) $(TORCH) -e '.[dev,bench]'
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean:
	rm -rf build atlas site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
