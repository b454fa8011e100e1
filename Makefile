# The tasks of this repository. `make help` lists them. Each first sets up what it lacks.

SHELL := /bin/sh
PREFIX ?= /usr/local
DESTDIR ?=
# Arguments for the browser: make run ARGS="file.sqlite --entity people"
ARGS ?=
# YES=1 installs missing system packages without asking.
YES ?=
# Rows of the measured table: make bench ROWS=1000000
ROWS ?= 100000
# Rows of the table for measuring the browser: make bench-tui TUI_ROWS=100000
TUI_ROWS ?= 1000000
# Rows of the table in a distant server for measuring the browser: make bench-far FAR_ROWS=1000000
FAR_ROWS ?= 10000000
# The length of the long trials, and their seed: make fault-tests ROUNDS=1000 SEED=7
ROUNDS ?= 200
TWO_PROCESS_ROUNDS ?= 5000
KEYS ?= 100000
CASES ?= 20000
SEED ?= 1
N ?= 100
# The server to test: make engine-tests URL=postgresql://user@host:5432/database, or the folder of Citus's
# source
URL ?=
CITUS ?=
# The number that deals the tests into the parts of a run; each run prints it: make test ORDER=4711
ORDER ?=
SWIFT ?= swift
# The parts built beside the library and the browser: TRAITS= leaves out PostgreSQL, which needs libpq.
TRAITS ?= PostgreSQL
WITH_TRAITS = $(if $(TRAITS),--traits $(TRAITS))
# Swift's libraries are linked statically if the toolchain has them so: the program starts in less time, and
# runs on machines without the toolchain.
STATIC_STDLIB = $(shell $(SWIFT) -print-target-info 2>/dev/null \
  | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1_static/p' \
  | while IFS= read -r path; do if [ -d "$$path" ]; then echo --static-swift-stdlib; fi; done)
# Debug information is left out of the program; it would be half of it. DEBUG_INFO=1 keeps it.
STRIPPED = $(if $(DEBUG_INFO),,-Xlinker -s)
# Of the data that Foundation is linked with, the program gets the part that it can use: less than a seventh.
ICU_DATA = $(PROGRAM_BUILD)/icu-data
LESS_DATA = $(shell cat $(ICU_DATA).flags 2>/dev/null)
# A folder of its own, since a build locks the one that it writes into: the program and the tests are built at the same
# time, and each leaves one of two cores idle for most of its time.
PROGRAM_BUILD = .build/program
RELEASE = $(WITH_TRAITS) -c release --scratch-path $(PROGRAM_BUILD) $(STATIC_STDLIB) $(STRIPPED) $(LESS_DATA)
BIN = $$($(SWIFT) build $(RELEASE) --show-bin-path)
PROGRAM = "$(BIN)/datastore"
# What is not on every machine is linked into it, too, where it is installed as archives: ncurses, zlib and the C++
# library. It then needs the C library and SQLite only, and runs where it is copied to.
ARCHIVES = $(PROGRAM_BUILD)/archives.made
# Where bash, zsh and fish look for completions, in this order.
COMPLETIONS = $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
  $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
SWIFT_FILES = git ls-files -- '*.swift'
MAX_LINES = 400

.DEFAULT_GOAL := help
.PHONY: help run build test test-fast check stress test-thread fault-tests monkey fuzz lint docs screenshots bench \
  bench-migrations bench-values bench-stores bench-postgresql bench-tui bench-far bench-pipe bench-files bench-keys house install package \
  engine-tests package-test uninstall clean setup setup-test test-programs release-programs tests check-screenshots toolchain

help: ## List the tasks
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

run: build ## Build for release and open the browser on the sample data (ARGS="…")
	@$(PROGRAM) $(ARGS)

build: setup $(ICU_DATA).flags $(ARCHIVES) ## Build the program for release (DEBUG_INFO=1: for debuggers, twice as large)
	$(SWIFT) build $(RELEASE) --product datastore

# Tests that run the program run what ships, so that it is built twice: for release, and for debugging with the tests.
test-programs: setup-test
	@$(MAKE) --no-print-directory -j 2 release-programs tests

release-programs: $(ICU_DATA).flags $(ARCHIVES)
	$(SWIFT) build $(RELEASE) --product datastore
	$(SWIFT) build $(RELEASE) --product BrokenRules

$(ICU_DATA).flags: .ci/icu-data
	@mkdir -p $(PROGRAM_BUILD)
	@if [ -n "$(STATIC_STDLIB)" ] && command -v python3 >/dev/null 2>&1; then .ci/icu-data "$(SWIFT)" $(ICU_DATA).o; \
	  else : > $@; fi

$(ARCHIVES): .ci/archives
	@mkdir -p $(PROGRAM_BUILD)
	@if [ -n "$(STATIC_STDLIB)" ]; then .ci/archives "$(BIN)"; fi
	@: > $@

tests:
	$(SWIFT) build $(WITH_TRAITS) --build-tests

test: test-programs ## Run all tests, in another order each time (ORDER=4711: in that one)
	@SWIFT="$(SWIFT)" TRAITS="$(TRAITS)" .ci/test $(ORDER)

test-fast: setup-test tests ## Run the tests that start no process, no server and no compiler
	@FAST=1 SWIFT="$(SWIFT)" TRAITS="$(TRAITS)" .ci/test $(ORDER)

check: setup-test ## Check the changes since the last commit: format, rules, and the quick tests that name them
	@SWIFT="$(SWIFT)" TRAITS="$(TRAITS)" .ci/check

stress: test-programs ## Run tests again and again on busy cores (TEST=SuiteTests N=100)
	@SWIFT="$(SWIFT)" TRAITS="$(TRAITS)" .ci/stress "$(TEST)" $(N)

engine-tests: setup-test tests ## Run the tests of every engine on a running server (URL=postgresql://…), or on Citus (CITUS=its source)
	@SWIFT="$(SWIFT)" TRAITS="$(TRAITS)" URL="$(URL)" CITUS="$(CITUS)" TEST="$(TEST)" .ci/engine-tests

# Tests that run or link other programs are left out: those are not instrumented.
test-thread: setup-test ## Run the library's tests under the thread sanitizer
	$(SWIFT) build $(WITH_TRAITS) --build-tests --sanitize=thread --scratch-path .build-thread
	DATASTORE_TEST_CASES=$${DATASTORE_TEST_CASES:-200} TSAN_OPTIONS="exitcode=66:$$TSAN_OPTIONS" \
	  $(SWIFT) test $(WITH_TRAITS) --skip-build --sanitize=thread --scratch-path .build-thread \
	  --skip 'EndToEndTests|CompilerRuleTests|TopLevel[A-Za-z]*Tests|DocumentationTests|SchemaClassesTests'

# Two writers are tested when nothing else runs: a writer that hardly runs is overtaken by the other for ever.
fault-tests: test-programs ## Kill the program again and again, and check the remains (ROUNDS=200 SEED=1)
	DATASTORE_FAULT_ROUNDS=$(ROUNDS) DATASTORE_TWO_PROCESS_ROUNDS=$(TWO_PROCESS_ROUNDS) \
	  DATASTORE_TEST_SEED=$(SEED) $(SWIFT) test $(WITH_TRAITS) --skip-build \
	  --filter 'KillWhile|FileFaultTests|FullDiskTests|TerminalFaultTests|TwoProcessTests|TableGuardTests|ConcurrentContextsModelTests|CheckpointRoundsTests'
	DATASTORE_FAULT_ROUNDS=$(ROUNDS) $(SWIFT) test $(WITH_TRAITS) --skip-build --filter TwoWritersTests

monkey: test-programs ## Press random keys, in memory and on a terminal (KEYS=100000 SEED=1)
	DATASTORE_MONKEY_KEYS=$(KEYS) DATASTORE_MONKEY_TERMINAL_KEYS=$$(($(KEYS) / 20)) \
	  DATASTORE_TEST_SEED=$(SEED) $(SWIFT) test $(WITH_TRAITS) --skip-build --filter 'MonkeyTests|MonkeyOnTerminalTests|DerivedTableWalkTests'

fuzz: test-programs ## Give random input to everything that reads text (CASES=20000 SEED=1)
	DATASTORE_FUZZ_CASES=$(CASES) DATASTORE_FUZZ_FILES=$$(($(CASES) / 40)) \
	  DATASTORE_TEST_CASES=$(CASES) DATASTORE_TEST_SEED=$(SEED) \
	  $(SWIFT) test $(WITH_TRAITS) --skip-build --filter 'FuzzTests|HostileLineTests'

lint: toolchain ## Check formatting, lengths, quoting, opening of files, starting of programs, imports, and the documents
	@YES="$(YES)" .ci/setup lint
	@$(SWIFT_FILES) | tr '\n' '\0' | xargs -0 $(SWIFT) format lint --strict
	@$(SWIFT_FILES) | while IFS= read -r file; do \
	  lines=$$(wc -l < "$$file"); \
	  if [ "$$lines" -gt $(MAX_LINES) ]; then \
	    echo "$$file has $$lines lines; split it, $(MAX_LINES) is the limit." >&2; exit 1; \
	  fi; \
	done
	@SWIFT="$(SWIFT)" .ci/check-rules

docs: setup ## Build the documentation of the library and its products into .build/docs*
	@SWIFT="$(SWIFT)" TRAITS="$(TRAITS)" .ci/docs .build/docs

house: setup-test ## Draw the references between folders into ARCHITECTURE.md and Documentation/House.md
	$(SWIFT) build $(WITH_TRAITS)
	@SWIFT="$(SWIFT)" .ci/house --write

screenshots: setup-test build ## Draw the pictures of the documents again, with the real browser in tmux
	.ci/screenshots $(PROGRAM)

check-screenshots: setup-test build
	.ci/screenshots --check $(PROGRAM)

bench: setup ## Measure against SQLite's C API and GRDB (ROWS=100000)
	$(SWIFT) run -c release --package-path Benchmarks Benchmarks --rows $(ROWS)

bench-migrations: setup ## Measure migrations against SQL by hand (ROWS=1000000)
	$(SWIFT) run -c release --package-path Benchmarks Benchmarks --migrations --rows $(ROWS)

bench-values: setup ## Measure snapshots and structs (ROWS=1000000)
	$(SWIFT) run -c release --package-path Benchmarks Benchmarks --values --rows $(ROWS)

bench-stores: setup ## Measure a class in two files beside the same rows in one (ROWS=100000)
	$(SWIFT) run -c release --package-path Benchmarks Benchmarks --stores --rows $(ROWS)

bench-postgresql: ## Measure the engine for PostgreSQL against libpq, on a server of its own (ROWS=100000)
	@YES="$(YES)" TRAITS=PostgreSQL .ci/setup test
	$(SWIFT) build -c release --traits PostgreSQL --package-path Benchmarks --product Benchmarks
	Benchmarks/with-server "$$($(SWIFT) build -c release --traits PostgreSQL --package-path Benchmarks \
	  --show-bin-path)/Benchmarks" --postgresql --rows $(ROWS)

bench-tui: build ## Measure the browser on a terminal, goal beside figure (TUI_ROWS=1000000)
	python3 Benchmarks/browser.py --rows $(TUI_ROWS) \
	  --program $(PROGRAM)

bench-far: build ## Measure the browser on a table of a server that is 10 ms away (FAR_ROWS=10000000)
	@YES="$(YES)" TRAITS=PostgreSQL .ci/setup test
	Benchmarks/with-server python3 Benchmarks/far.py --rows $(FAR_ROWS) --program $(PROGRAM)

bench-pipe: build ## Measure the browser on a file at the other end of a pipe of 50 ms and 10 Mbit/s (TUI_ROWS=1000000)
	python3 Benchmarks/far.py --file --rows $(TUI_ROWS) --program $(PROGRAM)

bench-keys: test-programs ## Press every command of the browser on five stores; each key answers within 100 ms
	DATASTORE_MOST_MILLISECONDS=100 $(SWIFT) test $(WITH_TRAITS) --skip-build --no-parallel \
	  --filter EveryCommandTests

bench-files: build ## Measure querying, loading and writing CSV beside the sqlite3 program (TUI_ROWS=1000000)
	python3 Benchmarks/files.py --rows $(TUI_ROWS) \
	  --program $(PROGRAM)

install: build ## Install the program, manual page, notices, completions, themes, sample data (PREFIX=/usr/local)
	@.ci/stage $(PROGRAM) "$(DESTDIR)$(PREFIX)" && \
	  echo "Installed $(DESTDIR)$(PREFIX)/bin/datastore and $(DESTDIR)$(PREFIX)/share/datastore."

package: build ## Make a Debian package, and an archive to unpack anywhere, whose program needs no Swift, in .build/package
	@.ci/package $(PROGRAM) .build/package

package-test: package setup-test ## Install the package into a bare Debian tree and use it there (as root)
	.ci/package-test "$$(ls -t .build/package/*.deb | head -n 1)"

uninstall: ## Remove the files that `make install` installed (PREFIX=/usr/local)
	rm -f "$(DESTDIR)$(PREFIX)/bin/datastore"
	rm -rf "$(DESTDIR)$(PREFIX)/share/datastore" "$(DESTDIR)$(PREFIX)/share/doc/datastore"
	rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/datastore.1" "$(DESTDIR)$(PREFIX)"/share/man/man1/datastore-*.1
	rm -f "$(DESTDIR)$(PREFIX)/share/applications/datastore.desktop"
	rm -f "$(word 1,$(COMPLETIONS))/datastore" "$(word 2,$(COMPLETIONS))/_datastore" \
	  "$(word 3,$(COMPLETIONS))/datastore.fish"

clean: toolchain ## Remove everything that was built
	$(SWIFT) package clean
	rm -rf $(PROGRAM_BUILD) .build/docs .build/docs-* .build/package .build-thread
	$(SWIFT) package --package-path Benchmarks clean

toolchain:
	@command -v $(SWIFT) >/dev/null 2>&1 || { \
	  echo "There is no Swift toolchain here; install Swift 6.3 or later from" \
	    "https://www.swift.org/install, then run make again." >&2; \
	  exit 1; }

setup: toolchain
	@YES="$(YES)" TRAITS="$(TRAITS)" .ci/setup build

setup-test: toolchain
	@YES="$(YES)" TRAITS="$(TRAITS)" .ci/setup test
