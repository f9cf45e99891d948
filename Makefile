# `make` lists the targets. All of them are done by the scripts in setup/.
PYTHON ?= python3
export MODEL PYTEST_ARGS ENGINES BENCH BENCH_ARGS SCREENSHOTS_ARGS

.DEFAULT_GOAL := help
.PHONY: help run test test-long soak test-engines test-cluster setup bench man screenshots package release test-packages translations clean

help:
	@echo 'make run               open modelmon with a sample model; in the terminal without a display'
	@echo 'make run MODEL=path    open modelmon with a model of yours'
	@echo 'make test              linters, types, import rules and tests (PYTEST_ARGS="-k plan" for some)'
	@echo 'make test-long         what not each change needs: journeys by mouse, all languages and sizes'
	@echo 'make soak              thousands of examples, known truth on real storage, kills'
	@echo 'make test-engines      tests with real programs, installed into .venv-engines (34 MB)'
	@echo 'make test-engines ENGINES="engines engines-llama-server"    a compiled llama-server (68 MB)'
	@echo 'make test-engines ENGINES="engines engines-torch"    transformers and diffusers as well'
	@echo 'make test-cluster      tests with several nodes of Ray, installed into .venv (270 MB)'
	@echo 'make setup             only install what the other targets need'
	@echo 'make bench             measure loads beside other libraries, and what watching costs'
	@echo 'make bench BENCH=engine BENCH_ARGS="--rounds 3"    one of them, with options'
	@echo 'make man               write the man page, build/modelmon.1'
	@echo 'make screenshots       take the pictures of the README again'
	@echo 'make screenshots SCREENSHOTS_ARGS="--all --to shots"    every state, language and size'
	@echo 'make package           build wheel, sdist, .deb and a file that installs itself, in dist/'
	@echo 'make test-packages     install these in clean roots of Debian, use and remove them; as root'
	@echo 'make translations      bring resources/translations up to date with the sources'
	@echo 'make clean             remove .venv and all else that was made here'
	@echo 'PYTHON=python3.12      use this Python, with any target'

run test test-long soak test-engines test-cluster setup bench man screenshots package test-packages translations:
	@command -v '$(PYTHON)' >/dev/null || { \
		echo 'There is no $(PYTHON). On Debian and Ubuntu: sudo apt-get install -y python3'; exit 2; }
	@'$(PYTHON)' setup $@

release: package

clean:
	rm -rf .venv .venv-engines build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
