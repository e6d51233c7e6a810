# Two commands for everyone: `make run` (the pipeline, ends with a report) and `make test`.
# Each target sets up .venv when it is missing or out of date, and does nothing twice.

PYTHON ?= python3
CONFIG ?= config/config.yaml
CORES  ?= 2
# DATA=DIR reads the evaluation sets of CONFIG from DIR instead of its `data_root`.
DATA   ?=
# TARGET=name asks for a named target of the workflow instead of the report.
TARGET ?=
# BENCH="name options" runs one benchmark instead of all.
BENCH  ?=

VENV  := .venv
BIN   := $(VENV)/bin
READY := $(VENV)/.ready

SNAKEMAKE := $(BIN)/snakemake --workflow-profile workflow/profiles/default --cores $(CORES)

.PHONY: run papers test lint bench clean lock help

run: $(READY)  ## run the pipeline of CONFIG (default: a simulated evaluation) and write its report
	@$(BIN)/python -m scripts._prepare "$(CONFIG)" $(TARGET)
	$(SNAKEMAKE) --configfile "$(CONFIG)" $(if $(DATA),--config "data_root=$(DATA)") $(if $(TARGET),-- $(TARGET))

papers: DATA := $(or $(DATA),data)
papers: $(READY)  ## make the tables and figures of all source papers from DATA (default: data)
	@$(BIN)/python -m scripts._prepare config/paper_exact.yaml
	$(SNAKEMAKE) --configfile config/paper_exact.yaml -- paper_exact
	$(SNAKEMAKE) --configfile config/paper_nlpstattest.yaml \
	  --config nlpstattest='{"scores": "$(DATA)/paired-scores/data-file.txt"}' -- paper_nlpstattest
	$(SNAKEMAKE) --configfile config/paper_spa.yaml --config "data_root=$(DATA)/mtme" -- paper_spa
	$(SNAKEMAKE) --configfile config/paper_parsing.yaml --config "data_root=$(DATA)/evalb" -- parsing
	$(SNAKEMAKE) --configfile config/paper_bayes.yaml --config "data_root=$(DATA)/bayes3x2cv" -- paper_bayes

test: $(READY)  ## run all tests
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(CORES) --dist loadfile --no-loadscope-reorder

lint: $(READY)  ## check style, types and the workflow
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

bench: $(READY)  ## measure our methods against their peers; BENCH="exact_f1 --sizes 30" runs one
	$(BIN)/python -m benchmarks.run_all $(BENCH)

clean:  ## remove everything generated, .venv included
	rm -rf $(VENV) results logs .snakemake .mypy_cache .pytest_cache .ruff_cache .hypothesis dist

lock: $(READY)  ## resolve the dependencies of pyproject.toml anew
	$(BIN)/uv pip compile pyproject.toml --all-extras --generate-hashes --universal \
	  --python-version 3.11 --no-header --no-annotate --quiet --output-file requirements.lock

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sigcore needs Python 3.11 or newer; say which with make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)
