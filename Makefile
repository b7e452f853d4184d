# `make` alone prints the targets. An environment in .venv (made by `make setup`) is used where there is one.
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup check test test-full lint types imports stub wheel bench results campaign audit nojit bounds cuda docs linkcheck clean

help: ## print this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv and install nearly into it, editable, with all tools
	python3 -m venv .venv
	.venv/bin/python -m pip install --upgrade pip
	.venv/bin/python -m pip install -e '.[dev]'

check: lint types imports test ## everything a change must pass: lint, types, imports, test

test: ## the tests, as the README runs them
	pytest

test-full: ## all tests, the long matrices and the long fuzzing included
	pytest -m ''

lint: ## ruff: rules and format
	ruff check .
	ruff format --check .

types: ## mypy
	mypy

imports: ## the layers: what may import what
	lint-imports

stub: ## write src/nearly/__init__.pyi, what editors see of the public names
	python scripts/make_stub.py
	ruff format -q src/nearly/__init__.pyi

bench: ## measure against other libraries; needs pip install '.[bench]'
	python benchmarks/run.py

results: ## make benchmarks/RESULTS.md and benchmarks/results from the recorded figures in benchmarks/data
	python benchmarks/render.py

campaign: ## random attacks for MINUTES=3 of processor time, with SEED=0: python -m tests.campaign --help
	python -m tests.campaign --minutes $(or $(MINUTES),3) --seed $(or $(SEED),0)

audit: ## known holes in the installed dependencies; needs the network
	python -m pip install --quiet pip-audit
	python -m pip_audit

wheel: ## a wheel with machine code for x86-64-v3, in dist: nothing compiles on first use; takes minutes
	python scripts/make_wheel.py

nojit: ## the small tests as plain Python, without compilation
	NUMBA_DISABLE_JIT=1 pytest -m small

bounds: ## the small tests of what has kernels, with every array index checked
	NUMBA_BOUNDSCHECK=1 pytest -m small tests/algorithms tests/engine tests/graph tests/mesh tests/budget tests/report/test_layout.py tests/techniques/test_every_technique.py

cuda: ## the CUDA kernels, compiled to PTX and run in numba's simulator; needs pip install '.[cuda]', no GPU
	pytest -m 'cuda and not full' tests/cuda
	NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 pytest -m 'cuda and not full' tests/cuda

docs: ## the site, in build/docs, its notebooks run; warnings are errors; needs pip install '.[docs]'
	python -m sphinx -W --keep-going -q -b html docs build/docs

linkcheck: ## whether addresses of other sites in the docs still answer; needs the network
	python -m sphinx -q -b linkcheck -D nb_execution_mode=off docs build/linkcheck

clean: ## remove what tools left behind (not .venv)
	rm -rf build dist docs/generated .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
