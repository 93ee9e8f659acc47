# The commands of a contributor. `make help` lists them.

VENV ?= .venv
# The first Python on PATH that is new enough.
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$python; break; }; done)
BIN := $(VENV)/bin
SHELL := bash
# One version of ninja and cmake: two versions on one build folder cause a full rebuild.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

CHECKED := build/checked
FUZZERS := record wire scan stripe digest graph reader trace numbers
FUZZ_SECS ?= 600
JOBS ?= 2
WEB := python _build_backend/web_bundle.py
WEB_PACKAGES := web/node_modules/lock.sha256
# Browser tests wait for the browser much of the time, so one worker more than there are cores.
CORES := $(shell nproc 2>/dev/null || sysctl -n hw.ncpu)
WORKERS ?= $(shell expr $(CORES) + 1)
PYTEST := python -m tools.testing.run_python -n $(WORKERS) --max-worker-restart 20 --dist loadfile \
	--no-loadscope-reorder --continue-on-collection-errors --hypothesis-profile=ci --durations=20
# The versions that lint, types and tests use; users of Seamark get the ranges of pyproject.toml.
PINS := constraints.txt
PIP_INSTALL := set -o pipefail; tools/three_times.sh python -m pip install --progress-bar=off -c $(PINS)
# Without the pins: botocore wants an older python-dateutil than the tests do.
SERVICES_INSTALL := set -o pipefail; tools/three_times.sh python -m pip install --progress-bar=off
# Of the team server, `make test` has what needs only its process and SQLite.
TEAM_SERVICE_TESTS := tests/e2e/test_team_accessibility.py $(patsubst %,tests/team/test_%.py, \
	deleted_objects https_uploads kill_server object_storage operations server_paths)
# They start servers that take long to install and to start; a person runs them with `make test-services`.
SERVICE_TESTS := tests/buckets tests/clickhouse $(TEAM_SERVICE_TESTS)
# Shows which packages pip installs, and hides those that are installed already.
NEW_PACKAGES := awk '/^ *(Collecting|Downloading .*MB|Building|Successfully)/ { print; fflush() }'
# When make began, so that the results can say how long the set-up took.
BEGUN := $(shell date +%s)
CORE_FILES := $(wildcard core/*.h core/*/*.cc core/*/*.h core/*/*/*.cc core/*/*/*.h)
# Not the bindings, which need Python's headers, nor crc32c.cc, whose intrinsics are in headers of one clang version only.
TIDY_FILES := $(filter-out core/bind/% core/fuzz/% core/testing/% %_test.cc core/format/crc32c.cc, $(filter %.cc, $(CORE_FILES)))
# The sources of the native module: a change of one of them installs it again.
CORE_SOURCES := CMakeLists.txt src/seamark_shim.pth $(filter-out core/fuzz/% core/testing/% %_test.cc, $(CORE_FILES))
# The installation stores which modules are packages: after a module became one, it is made again.
PACKAGE_FILES := $(shell find src -name __init__.py)

.DEFAULT_GOAL := help
.PHONY: help setup system web demo test check lint test-core test-web test-python test-services test-faults test-bench test-integrations \
	bench fmt fuzz tidy proto stub pins screenshots clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-17s %s\n", $$1, $$2}'

setup: $(VENV)/native.stamp ## environment with everything needed to work on Seamark, in .venv

$(VENV)/made.stamp:
	@test -n "$(PYTHON)" || { echo "Seamark needs Python 3.11 or later; set PYTHON=path/to/python" >&2; exit 1; }
	@echo "set-up, 1 of 4: a Python environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# torch is installed first and pinned: as a dependency of another package it would bring gigabytes of CUDA.
$(VENV)/packages.stamp: $(VENV)/made.stamp pyproject.toml $(PINS)
	@echo "set-up, 2 of 4: tools that build the native module and the page"
	@$(PIP_INSTALL) 'scikit-build-core>=1.1' 'nanobind>=3.1' 'cmake>=3.27' 'ninja>=1.11' $$($(WEB) requirements) | $(NEW_PACKAGES)
	@echo "set-up, 3 of 4: torch, a few hundred MB"
	@$(PIP_INSTALL) torch==2.13.0 | $(NEW_PACKAGES)
	@touch $@

$(VENV)/native.stamp: $(VENV)/packages.stamp $(CORE_SOURCES) $(PACKAGE_FILES)
	@echo "set-up, 4 of 4: Seamark itself (compiles the native module) and the packages of its tests"
	@$(PIP_INSTALL) --no-build-isolation -e '.[dev]' | $(NEW_PACKAGES)
	@touch $@

system:
	@tools/system_tools.sh clang++:clang,libclang-rt-dev chromium-headless-shell/chromium:chromium-headless-shell

# Before the parts that run npm: two of them at once would both install the packages.
$(WEB_PACKAGES): $(VENV)/packages.stamp web/package-lock.json
	$(WEB) npm --version

web: setup $(WEB_PACKAGES) ## build the page if its sources changed
	@$(WEB)

demo: web ## train small models, log them live and show them in the browser
	seamark demo $(ARGS)

test: setup system $(WEB_PACKAGES) ## everything a change has to pass: lint, types, C++ under sanitizers, page, Python, browser
	@python -m tools.testing.run_parts --begun $(BEGUN)

check: ## make test, the tests with real servers, clang-tidy, fuzzing, the fault tests at full length, the bench on small data, and the integrations
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-services
	@$(MAKE) --no-print-directory tidy
	@$(MAKE) --no-print-directory fuzz FUZZ_SECS=60
	@$(MAKE) --no-print-directory test-faults test-bench test-integrations

lint: setup $(WEB_PACKAGES) ## formatting, lint, types and layers of Python, C++ and the page
	ruff check --output-format concise .
	ruff format --check .
	clang-format --dry-run --Werror $(CORE_FILES)
	mypy src tools bench
	python tools/check_layers.py
	python tools/page_types.py
	$(WEB) npm run check

test-web: setup $(WEB_PACKAGES) ## tests of the page's modules
	$(WEB) npm test

$(CHECKED)/build.ninja: $(VENV)/packages.stamp CMakeLists.txt | system
	cmake -S . -B $(CHECKED) -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DSEAMARK_PYTHON=OFF -DSEAMARK_TESTS=ON -DSEAMARK_FUZZ=ON

# Runs every fuzz target with the limits $(1), over its corpus and earlier findings.
define run_fuzzers
	$(CHECKED)/make_seeds build/corpus
	@mkdir -p core/fuzz/found && for target in $(FUZZERS); do \
		echo "fuzz_$$target $(1)" && \
		$(CHECKED)/fuzz_$$target $(1) -max_len=65536 -rss_limit_mb=2048 -print_final_stats=1 \
			-artifact_prefix=core/fuzz/found/$$target- build/corpus/$$target core/fuzz/found > build/fuzz_$$target.log 2>&1 \
		|| { tail -40 build/fuzz_$$target.log; exit 1; }; \
		grep -E 'number_of_executed_units' build/fuzz_$$target.log; \
	done
endef

test-core: $(CHECKED)/build.ninja ## C++ tests and the fuzz targets on their corpus, with address and undefined-behaviour sanitizers
	cmake --build $(CHECKED) -j $(JOBS)
	$(CHECKED)/core_tests
	$(call run_fuzzers,-runs=2000 -seed=1)

tidy: $(CHECKED)/build.ninja ## clang-tidy over the C++ core
	printf '%s\n' $(TIDY_FILES) | \
		xargs -n 2 -P $(JOBS) clang-tidy -p $(CHECKED) --quiet --extra-arg=-resource-dir=$$(clang++ -print-resource-dir)

fuzz: $(CHECKED)/build.ninja ## fuzz the core for FUZZ_SECS seconds per target (default 600)
	cmake --build $(CHECKED) -j $(JOBS)
	$(call run_fuzzers,-max_total_time=$(FUZZ_SECS))

test-python: web system ## Python and browser tests; prints the slowest 20
	$(PYTEST) $(addprefix --ignore=,$(SERVICE_TESTS))

$(VENV)/services.stamp: $(VENV)/native.stamp
	@$(SERVICES_INSTALL) --no-build-isolation -e '.[services]' | $(NEW_PACKAGES)
	@touch $@

test-services: web $(VENV)/services.stamp ## the tests with real servers: S3, PostgreSQL, ClickHouse; skips those that are not installed
	SEAMARK_LONG_TESTS=1 $(PYTEST) $(SERVICE_TESTS) tests/team

test-faults: web system ## the fault tests, and the numbers of 1,000 tooltips, at full length
	SEAMARK_LONG_TESTS=1 $(PYTEST) tests/faults tests/e2e/test_same_numbers.py

test-bench: web system ## every part of the bench on small data
	$(PYTEST) bench

test-integrations: setup ## the integrations with the real libraries, each group in its own environment
	python tools/integrations.py $(ARGS)

bench: setup ## measurements beside TensorBoard
	python -m bench $(ARGS)

fmt: setup $(WEB_PACKAGES) ## format Python, C++ and the page
	ruff check --fix-only .
	ruff format .
	clang-format -i $(CORE_FILES)
	$(WEB) npm run format

stub: setup ## write the type stub of the native module again after changing its bindings
	python tools/make_core_stub.py

pins: setup ## raise the versions in constraints.txt to today's; a commit of its own
	python tools/raise_pins.py $$($(WEB) requirements)

proto: setup ## recompile the .proto files after changing them
	python tools/make_messages.py

screenshots: web system ## the pictures in docs/, from fresh demo runs
	python tools/screenshots.py

clean: ## remove builds, but not the environment
	rm -rf build dist src/seamark/serve/static web/node_modules
