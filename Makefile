# Every step that makes, runs or checks Winnow; README, Dockerfile and .ci/run only call these.
.POSIX:
SHELL = /bin/sh
.DELETE_ON_ERROR:
# Modules are compiled once, not in each of the hundreds of processes that tests start.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help install slim run test suite test-release check test-oldest wheels image-test sbom digests bench bench-path bench-peers figures cache-tests fuzz attack sanitize audit lint types ruff imports bounds format settings translations screenshots lock system extension clean compiler-of-today

PYTHON != command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3
BIN = .venv/bin
PAGES = 50
INPUTS = 100000
ATTEMPTS = 1000000
SANITIZED = 1000000
PYTHONS = python3.11 python3.12 python3.13
TESTS =
ROOM =
# Tests wait for processes and sockets longer than they compute: six workers keep two cores busy, at 1.4 GB each.
WORKERS != awk '/^MemAvailable/ {n = int($$2 / 1400000); print (n < 2 ? 2 : n > 6 ? 6 : n)}' /proc/meminfo || echo 4
# Tests that stand together share a browser and proxies; who is done takes of the other's.
PARALLEL = --numprocesses 2 --dist worksteal
RUNNABLE = .venv/runnable.stamp
TESTABLE = .venv/testable.stamp
COMPILER = .venv/compiler.txt
PIP_INSTALL = $(BIN)/python -m pip install -qq --disable-pip-version-check
COMPILE = $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 \
	--generate-hashes --custom-compile-command "make lock" pyproject.toml
SETUP = pyproject.toml setup.py $(wildcard [!w]*/_*.[ch] [!w]*/*/_*.[ch] [!w]*/*/*/_*.[ch])

help:
	@echo "make run      install what is needed into .venv and start the proxy on 127.0.0.1:8080"
	@echo "make test     install what the tests need, then lint and test; ROOM=proxy/caching: the tests of a room alone"
	@echo "make check    lint, and the tests of what git diff touches"
	@echo "make test-release  the tests that build, load or take minutes"
	@echo "make bench    print the benchmarks: bench-path, then what methods and pages cost"
	@echo "make bench-path  what a request costs through Winnow and other proxies (needs wrk, nginx)"
	@echo "make bench-peers  measure other extractors beside ours (needs WINNOW_PACKAGES)"
	@echo "make figures  draw every method and peer on every package into docs/figures"
	@echo "make cache-tests  HTTP's caching rules case by case, Squid and Traffic Server beside us (needs npm)"
	@echo "make faults   everything that goes wrong beside Winnow, and what a reader gets then"
	@echo "make load     64 clients for a minute, 1,000 idle connections; make soak: ten minutes"
	@echo "make attack   every attempt of the attack suite to get past Winnow, and what got through"
	@echo "make fuzz     100,000 odd pages, requests and targets, 1,000,000 heads of each side"
	@echo "make sanitize  compiled loops under sanitizers, beside their definitions, on a million pages"
	@echo "make wheels   an sdist and wheels for each Python of PYTHONS, installed without a compiler"
	@echo "make test-oldest  the tests with the oldest allowed versions of what we depend on"
	@echo "make image-test  build the container's image and run it (needs root, buildah, podman, debootstrap)"
	@echo "make sbom     write winnow.cdx.json, what requirements.lock has (CycloneDX); make digests: hold images to what their tags are"
	@echo "make audit    known faults of what we depend on (asks the network)"
	@echo "make lint     ruff, mypy, the import contract and the bounds of size alone"
	@echo "make format   let ruff put the code in order"
	@echo "make settings write config/default.toml from the dataclasses of settings"
	@echo "make translations collect the texts of own pages, bars and errors into the catalogues"
	@echo "make screenshots make the screenshots of README and docs, and draw every page in four themes"
	@echo "make extension  pack the browser extension for Chromium and Firefox into dist"
	@echo "make lock     resolve the dependencies again"

install: $(RUNNABLE)

.venv/bin/python:
	@[ -n "$(PYTHON)" ] && $(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>&- || { \
		echo "Winnow needs Python 3.11 or newer with its venv. Debian, Ubuntu: apt install python3-venv;" \
		"Fedora: dnf install python3; Arch: pacman -S python. More in docs/install.md." >&2; exit 1; }
	$(PYTHON) -m venv .venv

# What compiles C here, if anything; written where that changes, so that the parts are compiled then.
$(COMPILER): compiler-of-today | .venv/bin/python
	@found=$$($(BIN)/python deploy/compiler.py); [ "$$found" = "$$(cat $@ 2>&-)" ] || echo "$$found" > $@
compiler-of-today:

# Modules are compiled here: a service that may not write would compile them at each start (.15 s).
$(RUNNABLE): requirements.lock $(SETUP) $(COMPILER) | .venv/bin/python
	@echo "Installing Winnow into .venv ..."
	@$(PIP_INSTALL) --require-hashes --requirement requirements.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q winnow winnow/*/
	@touch $@

$(TESTABLE): requirements-dev.lock $(RUNNABLE)
	@echo "Installing the tools of the tests into .venv ..."
	@$(PIP_INSTALL) --require-hashes --requirement requirements-dev.lock
	@touch $@

# What a container needs and no more: not editable, without pip, compiler input, tests and symbols.
slim: $(RUNNABLE)
	@WINNOW_COMPILED=required $(PIP_INSTALL) --no-deps --no-build-isolation --force-reinstall .
	@deploy/slim.sh "$$PWD/.venv"

sbom:
	@python3 -m venv .venv-sbom && .venv-sbom/bin/pip install --quiet cyclonedx-bom==7.5.0
	@.venv-sbom/bin/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --output-file winnow.cdx.json

digests:
	@for each in $$(grep -oEh '[a-z]+:[a-z0-9.-]+@sha256:[0-9a-f]+' Dockerfile compose.yaml); do \
	    digest=$$(skopeo inspect --format '{{.Digest}}' "docker://docker.io/library/$${each%@*}") || exit 1; \
	    sed -i "s|$$each|$${each%@*}@$$digest|" Dockerfile compose.yaml && echo "$${each%@*}@$$digest"; done

run: $(RUNNABLE)
	@$(BIN)/winnow serve

system:
	@.ci/system-packages

# mypy takes one core and longer than all the others together.
BESIDE = @$(MAKE) --no-print-directory --jobs=2 --output-sync=target
LINT = types ruff imports bounds
lint: $(TESTABLE)
	$(BESIDE) $(LINT)
types:
	$(BIN)/mypy
ruff:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
imports:
	$(BIN)/lint-imports
bounds:
	$(BIN)/python -m benchmarks.house

# pytest compiles tests in a way of its own: once, not in every worker at the same time.
tests/__pycache__:
	@$(BIN)/python -m pytest --collect-only --quiet >/dev/null || true  # the tests' own run says why

# A second core is idle while mypy works alone.
test: system $(TESTABLE)
	$(if $(ROOM),,$(BESIDE) $(filter-out types,$(LINT)) tests/__pycache__)
	@$(MAKE) --no-print-directory --jobs=2 $(if $(ROOM),,types) suite
suite:
	$(BIN)/python -m pytest $(PARALLEL) --numprocesses $(WORKERS) tests/$(ROOM)

check: lint
	$(BIN)/python -m tests.touched $(PARALLEL)

test-release: system $(TESTABLE)
	$(BIN)/python -m pytest $(PARALLEL) --numprocesses 3 -m "release or hypothesis" --hypothesis-profile thorough

bench: bench-path
	@$(BIN)/python -m benchmarks
	@$(BIN)/python -m benchmarks.page_costs

bench-path: $(RUNNABLE)
	@$(BIN)/python -m benchmarks.traffic

bench-peers: $(RUNNABLE)
	$(BIN)/python -m benchmarks.peers --ours --peers

figures: $(RUNNABLE)
	nice $(BIN)/winnow evaluate all --extractor all --extractor lqf:0.25 --extractor lqf:0.75 \
		--peer all --measure all --limit $(PAGES) --figures docs/figures \
		--keep "$${XDG_CACHE_HOME:-$$HOME/.cache}/winnow/answers.jsonl"

cache-tests: $(RUNNABLE)
	$(BIN)/python -m benchmarks.caches

faults: system $(TESTABLE)
	$(BIN)/python -m tests.faults

load: $(TESTABLE)
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.load --fair

soak: $(TESTABLE)
	$(BIN)/python -m benchmarks.load --soak

fuzz: $(TESTABLE)
	nice $(BIN)/python -m tests.fuzz --inputs $(INPUTS) --heads $(INPUTS)0

wheels: $(TESTABLE)
	nice $(BIN)/python -m tests.wheels --out dist $(PYTHONS)

image-test: $(TESTABLE)
	$(BIN)/python -m tests.image

OLDEST = .oldest
test-oldest: $(TESTABLE)
	mkdir -p $(OLDEST)
	$(BIN)/uv pip compile --quiet --no-config --python-version 3.11 --only-binary :all: --resolution lowest-direct \
		pyproject.toml --extra batch --extra fast --extra mcp --extra redis --extra train --output-file $(OLDEST)/oldest.txt
	$(BIN)/uv pip compile --quiet --no-config --python-version 3.11 --constraint $(OLDEST)/oldest.txt \
		pyproject.toml --extra dev --group build --output-file $(OLDEST)/requirements.txt
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(OLDEST)/venv
	$(BIN)/uv pip sync --quiet --python $(OLDEST)/venv/bin/python $(OLDEST)/requirements.txt
	$(BIN)/uv pip install --quiet --python $(OLDEST)/venv/bin/python --no-deps --no-build-isolation --editable .
	$(BIN)/uv pip install --quiet --python $(OLDEST)/venv/bin/python pip  # a test builds a wheel by it
	nice $(OLDEST)/venv/bin/python -m pytest -p no:cacheprovider -m "" $(TESTS)

attack: $(TESTABLE)
	nice $(BIN)/python -m tests.attack --most $(ATTEMPTS)
	nice $(BIN)/python -m tests.attack.comparison

sanitize: $(TESTABLE)
	nice -n 19 $(BIN)/python -m tests.sanitized --build --pages $(SANITIZED)

audit: $(TESTABLE)
	$(BIN)/uv tool run pip-audit@2.10.1 --strict --disable-pip --require-hashes --requirement requirements.lock
	$(BIN)/uv tool run pip-audit@2.10.1 --strict --disable-pip --require-hashes --requirement requirements-dev.lock

format: $(TESTABLE)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

settings: $(RUNNABLE)
	$(BIN)/python -m winnow.command_settings > default.toml.new
	mv default.toml.new config/default.toml

translations: $(TESTABLE)
	@$(BIN)/python -m docs.translations

screenshots: $(TESTABLE)
	$(BIN)/python -m docs.screenshots
	$(BIN)/python -m docs.design_pictures

extension: .venv/bin/python
	@$(BIN)/python -m deploy.pack_extension

lock: $(TESTABLE)
	$(COMPILE) --group build --extra fast --extra mcp --extra redis --output-file requirements.lock
	$(COMPILE) --group build --extra dev --constraint requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
