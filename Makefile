# `make` lists the targets.
GO     ?= go
PYTHON ?= python3
BUILD  := .build
BIN    := $(BUILD)/arrayrepl
VENV   := $(BUILD)/venv
VPY    := $(abspath $(VENV))/bin/python
NODE   := $(if $(shell which npm 2>/dev/null),$(BUILD)/node/node_modules)

.PHONY: help lab repl test chromium test-portable test-commit test-engine test-turn-0 test-turn-1 test-turn-2 test-nightly fuzz-commit cross-commit test-long test-gosuite test-corpora test-programs test-race-interp test-accuracy fuzz-kernels fuzz-parsers fuzz-tables fuzz-transport cross dist test-dist test-ship audit test-tier test-go test-race test-jupyter test-notebooks test-browser test-vscode test-array-api test-foreign bench bench-arrays bench-oa bench-repl bench-interp bench-kernel peers bench-kir soak hostile bench-simgpu bench-charts test-gpu bench-gpu gpu-programs bench-multi bench-dp bench-brook bench-storage gallery notebooks lint generated generate clean test-tools

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

lab: ## open the notebooks in JupyterLab
	$(GO) run ./cmd/arrayrepl lab

repl: ## start the terminal REPL
	$(GO) run ./cmd/arrayrepl

# Random tests are short, normal or long (internal/testsize). What is too much for each commit is tried in turn, by the number of
# the commit: docs/design/protection.md has the list.
SIZE ?= short
TURN := $(shell tests/turn.sh)
SEED := $(shell tests/turn.sh seed)
SIZED = ARRAYREPL_TESTS=$(SIZE) ARRAYREPL_TURN=$(TURN)
JUDGED = $(SIZED) ARRAYREPL_JUDGES=require ARRAYREPL_PYTHON=$(VPY)
LIMIT = $(if $(filter long,$(SIZE)),180m,30m)
# The compiler collects no garbage before it has a gigabyte of it, which saves a fifth of its time. Tests run afterwards, without
# that, as package arrays keeps no headroom where GOGC is set: docs/design/decisions/0160-compiling-collects-less.md.
COMPILE = GOGC=1000 GOMEMLIMIT=1GiB $(GO)
COMPILE_TESTS = $(COMPILE) list -export -test
# Packages that are tested at a time: one more than there are processors, as some wait for clients and clocks.
PACKAGES = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# They are begun in this order, so that none of those that take long or wait is the last.
LONGEST = ./tests/... ./interp ./simgpu ./gpu/... ./kernel/...
# So many parts at a time run side by side. Of them those that compute give way to those that wait for a page or a client.
BESIDE = $(MAKE) $(filter --output-sync,$(.FEATURES:%=--%)) -j
YIELD = nice -n 5

test: chromium $(VENV)/ready $(BIN) ## all tests, random ones short; sets up what they need; three parts at a time run side by side, those that wait beside those that compute
	$(BESIDE)3 part-test-browser part-test-jupyter part-test-go part-test-notebooks

part-%: # a target, and what it took
	@bash -c 'TIMEFORMAT="make $*: %0R s, of processors %0U s and %0S s in the system"; time $(MAKE) --no-print-directory $*'

chromium: # the browser is looked for before anything takes long
	@tests/chromium.sh

test-go: $(VENV)/ready ## the Go tests, NumPy and libzmq as judges; make lint vets
	@$(COMPILE_TESTS) ./... >/dev/null
	$(JUDGED) $(YIELD) $(GO) test -vet=off -timeout $(LIMIT) -p $(PACKAGES) $(LONGEST) ./...

test-portable: $(VENV)/ready ## package arrays as where there are no vector loops
	$(JUDGED) $(GO) test -vet=off -tags portable ./arrays ./internal/fourier

# One flavour of the race detector, so that the world is built once: ixgo's address arithmetic is none that checkptr knows, ours is.
RACE := -race -gcflags=github.com/goplus/...=-d=checkptr=0 -gcflags=github.com/visualfc/...=-d=checkptr=0
CC_IS_HERE = $(GO) env CC | xargs which >/dev/null 2>&1 || { echo "skipped: the race detector needs a C compiler, and $$($(GO) env CC) is not here"; exit 0; }

# A third of the concurrent packages in each turn, those together that import the same; test-turn-2 has the interpreter. What
# simgpu/calibrate does, one launch after the other, is left to the night.
RACED-0 := ./arrays ./lazy/... ./offload/... ./internal/workers ./internal/fourier
RACED-1 := ./simgpu ./kir ./kir/cpu ./kir/opt ./kir/check ./kir/random ./kir/ref
RACED-2 := ./kernel/... ./cudabackend ./kir/paging
RACED = $(if $(filter short,$(SIZE)),$(RACED-$(shell expr $(TURN) % 3)),$(RACED-0) $(RACED-1) $(RACED-2) ./simgpu/calibrate)

test-race: ## the concurrent packages under the race detector: a third of them, of which the next commit has another, or all with SIZE=normal
	@$(CC_IS_HERE); set -ex; $(COMPILE_TESTS) $(RACE) $(RACED) >/dev/null; $(SIZED) $(GO) test -vet=off $(RACE) -timeout $(LIMIT) $(RACED)

test-race-interp: ## the whole interpreter under the race detector; but for memory limits, as the detector's own memory counts
	@$(CC_IS_HERE); set -ex; $(COMPILE_TESTS) $(RACE) ./interp ./interp/supervise >/dev/null; $(SIZED) $(GO) test -vet=off $(RACE) -timeout 60m -skip 'TestGoSuite|TestMemoryLimit' ./interp ./interp/supervise

test-commit: ## what continuous integration runs of each commit beside make test: under the race detector, parts of what test-long runs in turn, random inputs with seeds of the commit
	$(MAKE) part-test-race
	$(BESIDE)2 part-test-engine part-cross-commit part-fuzz-commit
	$(MAKE) part-test-turn-$(shell expr $(TURN) % 3)

test-engine: ## a third of Go's own test programs in each way and mode, numeric functions, transcripts with the numeric tier off or forced; the next commit has another third
	$(COMPILE) test -c -vet=off -ldflags='-s -w' -o $(BUILD)/interp.test ./interp
	$(SIZED) $(GO) test -vet=off -timeout 30m -run TestGoSuite ./interp/yaegi -gosuite turn
	cd interp && export $(SIZED) && ../$(BUILD)/interp.test -test.timeout 30m -test.run TestGoSuite -gosuite turn && \
		../$(BUILD)/interp.test -test.timeout 30m -test.run TestGoSuite/cell -gosuite turn -tier off && \
		../$(BUILD)/interp.test -test.timeout 30m -test.run TestGoSuite/cell -gosuite turn -tier force && \
		../$(BUILD)/interp.test -test.timeout 30m -test.run 'TestTranscripts|TestSequences' -tier $(if $(filter 0,$(shell expr $(TURN) % 2)),off,force) && \
		../$(BUILD)/interp.test -test.timeout 30m -test.run TestNumbers -numbers 20s -numberseed $(SEED)
	$(SIZED) $(GO) test -vet=off -timeout 30m -run TestTierTable ./interp/ixgo -walk

test-turn-0: test-corpora test-portable # the same three in turn

test-turn-1: # the same three in turn
	$(MAKE) test-programs PROGRAMS=300 SIZE=normal
	$(MAKE) test-foreign audit

test-turn-2: test-race-interp # the same three in turn

fuzz-commit: ## random kernels and damaged texts, 20 s each, the kernels with seeds of the commit
	$(GO) run ./tests/fuzz/kernels -for 20s -seed $(SEED)
	$(MAKE) fuzz-parsers FUZZ=20s

test-long: ## what takes long: random tests long, all of Go's own test programs, tests of public modules, random programs, notebooks of other kernels, the interpreter under the race detector, random kernels and texts, every platform's build
	$(MAKE) part-test-go SIZE=long
	for t in gosuite corpora programs foreign tier race-interp portable; do $(MAKE) part-test-$$t SIZE=normal || exit 1; done
	for t in fuzz-kernels fuzz-parsers cross dist audit; do $(MAKE) part-$$t || exit 1; done

test-nightly: lint chromium $(VENV)/ready $(BIN) ## everything
	$(BESIDE)3 part-test-browser part-test-jupyter part-test-go part-test-notebooks SIZE=normal
	$(MAKE) part-test-race SIZE=normal
	$(MAKE) test-long PROGRAMS=10000
	for t in test-accuracy fuzz-tables fuzz-transport test-tools; do $(MAKE) part-$$t || exit 1; done

test-gosuite: ## all of Go's own test programs
	$(GO) test -timeout 30m -run TestGoSuite ./interp ./interp/yaegi -gosuite all

test-corpora: ## tests and examples of public modules in sessions, compared with go test, for two minutes; CORPORA="-whole" runs all
	$(GO) test -timeout 120m -count 1 -v -run TestCorpora ./tests/corpora -corpora 2m $(CORPORA)

PROGRAMS ?= 1000

test-programs: ## 1,000 random programs in sessions, compared with compiled Go; PROGRAMS=10000 is for a night, and part of test-nightly
	$(GO) test -timeout 300m -count 1 -v -run TestPrograms ./interp/internal/programs -programs $(PROGRAMS)

test-tier: ## all of Go's test programs, each as a cell, transcripts and random cells with the numeric tier off and wherever it can run, random numeric functions for a minute
	$(GO) test -timeout 50m ./interp -run 'TestGoSuite/cell|TestTranscripts|TestSequences' -tier off -gosuite all
	$(GO) test -timeout 50m ./interp -run 'TestGoSuite/cell|TestTranscripts|TestSequences' -tier force -gosuite all
	$(GO) test -timeout 30m ./interp -run TestNumbers -numbers 1m
	$(GO) test -timeout 30m ./interp/ixgo -run TestTierTable -walk

test-accuracy: ## the elementary functions beside math/big at 100,000 points each, in float64 and float32: the worst errors, in units in the last place
	ARRAYREPL_TESTS=long $(call KEPT_BY,elementary,internal/elementary) $(GO) test -timeout 40m -count 1 -v -run 'TestAccuracy|Special' ./internal/elementary

fuzz-kernels: ## random kernels for a minute, the same each time
	$(GO) run ./tests/fuzz/kernels -for 1m -seed 1

FUZZ ?= 30s

# What the fuzzer is to cover is built for it as go test -fuzz builds all that a test imports, the standard library and Arrow too:
# that takes minutes, and leads the fuzzer into them.
COVERED := -vet=off -gcflags=github.com/arrayrepl/arrayrepl/kir/...=-d=libfuzzer
FUZZING = -test.run '^$$' -test.fuzz FuzzParse -test.fuzztime $(FUZZ) -test.fuzzminimizetime 20x -test.fuzzcachedir $(abspath $(BUILD))/fuzz

fuzz-parsers: ## damaged texts for the readers of kir and of PTX, half a minute each; making each find small would take all of it
	$(GO) test -c $(COVERED) -o $(BUILD)/kir.test ./kir
	$(GO) test -c $(COVERED) -o $(BUILD)/ptx.test ./kir/ptx
	cd kir && ../$(BUILD)/kir.test $(FUZZING)
	cd kir/ptx && ../../$(BUILD)/ptx.test $(FUZZING)

fuzz-tables: ## damaged and random tables for the readers of CSV and Arrow, a minute each; arrow-go is not ours, so this is no part of test-long
	$(GO) test ./arrays -run '^$$' -fuzz FuzzCSV -fuzztime 60s -fuzzminimizetime 20x
	$(GO) test ./internal/csvtable -run '^$$' -fuzz FuzzDecimal -fuzztime 60s -fuzzminimizetime 20x
	$(GO) test ./arrays -run '^$$' -fuzz FuzzArrow -fuzztime 60s -fuzzminimizetime 20x

fuzz-transport: ## damaged connections and streams for the kernel's transport, half a minute each
	$(GO) test ./kernel/zmtp -run '^$$' -fuzz FuzzPeer -fuzztime 30s -fuzzminimizetime 20x
	$(GO) test ./kernel/zmtp -run '^$$' -fuzz FuzzCurve -fuzztime 30s -fuzzminimizetime 20x
	$(GO) test ./kernel -run '^$$' -fuzz FuzzDemux -fuzztime 30s -fuzzminimizetime 20x

PLATFORMS := linux/arm64 darwin/arm64 windows/amd64 # darwin/amd64 has what they have; dist builds it

cross: ## compile everything, tests too, for every other platform, and what differs in the static program
	@for p in $(PLATFORMS); do echo "go vet for $$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) vet -trimpath ./... || exit 1; done
	$(GO) vet -tags nocuda ./cudabackend/... # what differs in the static program

cross-commit: ## type-check everything, tests too, for another platform, the next commit for the next, and for the static program; what is compiled shows nothing more but mistakes of the compiler
	$(GO) run ./tests/platforms $(word $(shell expr $(TURN) % 3 + 1),$(PLATFORMS))
	$(GO) run ./tests/platforms -tags nocuda linux/amd64

dist: ## archives, wheels, checksums and bills of materials for every platform, in .build/dist, as the release job publishes them: by goreleaser, which takes minutes to compile
	ARRAYREPL_VERSION=$$($(GO) run ./internal/ship version) $(COMPILE) run github.com/goreleaser/goreleaser/v2@v2.16.0 release --snapshot --clean --skip=publish
	@$(call KEPT_BY,releases,dist) wc -c $(BUILD)/dist/*/arrayrepl* $(BUILD)/dist/*.tar.gz $(BUILD)/dist/*.zip $(BUILD)/dist/*.whl

test-dist: $(VENV)/ready dist ## every platform's build: inspected, built again elsewhere, go install from an empty home, arm64 under qemu
	@arm=tests/ship/test_arm64.py; tests/ship/setup.sh file qemu-user-static libc6-arm64-cross || { echo "skipped: arm64, see the line above"; arm=; }; set -x; \
		$(VPY) -m pytest -q -rs -o tmp_path_retention_policy=failed tests/ship/test_files.py tests/ship/test_go_install.py $$arm

test-ship: $(VENV)/ready dist ## before a release: try what was built as the people who get it: empty Debians, the wheel, containers, conda, Windows, arm64
	@if tests/ship/setup.sh; then set -ex; \
		$(VPY) -m pip install -q --disable-pip-version-check -r tests/ship/requirements.txt -c cmd/arrayrepl/lab-constraints.txt; \
		CHROMIUM="$$(tests/chromium.sh)" $(VPY) -m pytest -q -rs -o tmp_path_retention_policy=failed tests/ship; \
	else echo "skipped: see the line above"; fi

audit: $(BIN) ## known vulnerabilities, and the licences of what is inside
	tests/ship/audit.sh $(BIN)

test-jupyter: $(VENV)/ready $(BIN) $(NODE) ## real Jupyter clients: jupyter_client, nbclient, nbconvert, node's
	@test -z "$(NODE)" || cp tests/node/*.mjs $(BUILD)/node/
	$(SIZED) ARRAYREPL_BIN=$(abspath $(BIN)) ARRAYREPL_NODE=$(if $(NODE),$(abspath $(BUILD)/node)) $(VPY) -m pytest -q tests/jupyter

test-notebooks: $(VENV)/ready $(BIN) ## every notebook, by nbconvert, by arrayrepl run or with its answers, and, a third of them, as a program; each by all with SIZE=normal
	$(SIZED) ARRAYREPL_BIN=$(abspath $(BIN)) $(YIELD) $(VPY) -m pytest -q tests/notebooks

test-foreign: $(VENV)/ready $(BIN) ## the example notebooks of gophernotes and GoNB: a table of their cells
	$(VPY) tests/foreign/notebooks.py $(BIN) $(FOREIGN)

test-browser: $(VENV)/ready $(BIN) ## JupyterLab in headless Chromium
	$(SIZED) CHROMIUM="$$(tests/chromium.sh)" ARRAYREPL_BIN=$(abspath $(BIN)) $(VPY) -m pytest -q tests/browser

test-tools: $(BIN) ## clients too large for each commit: qtconsole, euporie, voila, JupyterHub, gopls, in an environment of their own
	test -x $(BUILD)/tools/bin/pytest || { python3 -m venv $(BUILD)/tools && $(BUILD)/tools/bin/pip install -q --disable-pip-version-check -r tests/tools/requirements.txt; }
	test -x $(BUILD)/tools/bin/gopls || GOBIN=$(abspath $(BUILD))/tools/bin $(GO) install golang.org/x/tools/gopls@v0.21.0 || echo "gopls is not to be had: its test is skipped"
	PATH=$(abspath $(BUILD))/tools/bin:$$PATH ARRAYREPL_BIN=$(abspath $(BIN)) $(BUILD)/tools/bin/python -m pytest -q -rs tests/tools

test-vscode: $(VENV)/ready $(BIN) ## notebooks in VS Code, as code-server from npm, in headless Chromium
	tests/vscode/setup.sh $(BUILD)/vscode
	CHROMIUM="$$(tests/chromium.sh)" ARRAYREPL_BIN=$(abspath $(BIN)) ARRAYREPL_VSCODE=$(abspath $(BUILD))/vscode $(VPY) -m pytest -q -rs tests/vscode

test-array-api: $(VENV)/ready ## the array API standard's own tests on package arrays, from the checkout that ARRAY_API_TESTS names
	@if test -z "$$ARRAY_API_TESTS"; then echo "skipped: ARRAY_API_TESTS names no checkout of github.com/data-apis/array-api-tests with its submodule"; else set -ex; \
		$(VPY) -m pip install -q --disable-pip-version-check -r tests/arrayapi/requirements.txt; \
		$(GO) build -o $(BUILD)/arrayapi ./tests/arrayapi; \
		export ARRAYREPL_ARRAYAPI=$(abspath $(BUILD))/arrayapi PYTHONPATH=$(CURDIR)/tests/arrayapi ARRAY_API_TESTS_MODULE=arrayrepl_xp; cd "$$ARRAY_API_TESTS"; \
		$(VPY) -m pytest -q -p no:cacheprovider --disable-deadline --max-examples 100 --hypothesis-derandomize --tb line --xfails-file $(CURDIR)/tests/arrayapi/xfails.txt array_api_tests; fi

# KEEP=1 lets a benchmark write its page of docs/design/measurements, with the day and the machine.
PAGES := docs/design/measurements
KEPT = $(if $(KEEP),-o $(PAGES)/$(1).md)
KEPT_BY = $(if $(KEEP),$(GO) run ./tests/bench/keep -o $(PAGES)/$(1).md -name $(2))

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchtime 3x ./...

bench-repl: $(VENV)/ready ## the terminal REPL beside IPython: the first prompt, keys with 10,000 cells of history
	ARRAYREPL_PYTHON=$(VPY) $(call KEPT_BY,terminal,tests/repl) $(GO) test -run '^$$' -bench . -benchtime 10x ./tests/repl

bench-interp: $(VENV)/ready $(BIN) peers ## the interpreter: what a cell costs and keeps, its code beside the bare engine and compiled Go, numeric loops beside CPython, yaegi, gomacro; cells beside ipykernel, gophernotes and gonb
	$(GO) build -o $(BUILD)/peers/gomacro github.com/cosmos72/gomacro
	$(GO) run ./tests/bench/interp $(call KEPT,interpreter) -gomacro $(BUILD)/peers/gomacro $(BIN)
	$(call KEPT_BY,interpreter,tests/bench/kernel.py) $(VPY) tests/bench/kernel.py $(KERNELS) --only start,latency,cells

bench-kernel: $(VENV)/ready $(BIN) peers ## the Jupyter kernel beside ipykernel, gophernotes and gonb
	$(GO) build -o $(BUILD)/peers/floor ./tests/bench/floor
	$(call KEPT_BY,kernel,tests/bench/kernel.py) $(VPY) tests/bench/kernel.py $(KERNELS) floor=$(BUILD)/peers/floor

KERNELS := arrayrepl=$(BIN) gophernotes=$(BUILD)/peers/gophernotes gonb=$(BUILD)/peers/gonb

peers: # other kernels for Go, to compare with
	$(GO) build -o $(BUILD)/peers/gophernotes github.com/gopherdata/gophernotes
	cd tests/peers && $(GO) build -o $(abspath $(BUILD))/peers/ github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports

GENERATED := arrays docs/design gpu/example gpu/puzzle/internal/answers lazy interp/docs interp/symbols interp/tier kir/ptx internal/vector

lint: ## gofmt, go vet, staticcheck, generated files up to date, no file over 1 MB
	@git ls-files -z | xargs -0 sh -c 'find "$$@" -maxdepth 0 -size +1024k' find | { ! grep .; } || { echo "the files above are too large for the tree"; exit 1; }
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(MAKE) generated
	$(COMPILE) vet ./...
	GOGC=300 $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./... # it holds more than a gigabyte

generated: ## what go generate makes of the sources is committed: before each commit that changes an exported name or its comment
	$(COMPILE) generate $(addprefix ./,$(GENERATED))
	git diff --exit-code -- $(GENERATED)

test-gpu: ## on a machine with an NVIDIA GPU: the kernel corpus, elementary functions and random kernels bit by bit, NVIDIA's libraries, kernels that read files, rates; writes docs/gpu-results.md
	$(GO) run ./tests/gpu -o docs/gpu-results.md

GPU_PYTHON ?= $(firstword $(wildcard $(BUILD)/peers/gpu/bin/python) $(PYTHON))

bench-gpu: ## on a machine with an NVIDIA GPU: workloads beside a copy on the card, and beside CuPy, PyTorch and JAX where GPU_PYTHON has them; writes docs/gpu-speed.md
	$(GO) run ./tests/bench/gpu -python $(GPU_PYTHON) -o docs/gpu-speed.md

gpu-programs: ## what test-gpu and bench-gpu run, in .build/gpu, for a machine with a card but without Go or a network
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BUILD)/gpu/test-gpu ./tests/gpu
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BUILD)/gpu/bench-gpu ./tests/bench/gpu
	$(GO) run ./tests/gpu -write-corpus $(BUILD)/gpu/corpus.json

bench-charts: ## what each chart of data takes for 100 million values
	$(call KEPT_BY,charts,viz) $(GO) test -run '^$$' -bench HundredMillion -benchtime 1x ./viz

bench-simgpu: $(BIN) ## the simulated GPU: what launches take of this machine, how far samples are off, and policies for warps beside each other
	$(GO) run ./tests/bench/simgpu $(call KEPT,simulator) -full
	$(GO) run ./tests/bench/simgpu -policies -cells $(BIN)

bench-arrays: ## package arrays beside NumPy, operation by operation; Black-Scholes and Haversine beside numexpr and numba too
	test -d $(BUILD)/peers/python || $(PYTHON) -m venv $(BUILD)/peers/python
	$(BUILD)/peers/python/bin/pip install -q -r tests/bench/arrays/requirements.txt
	$(GO) run ./tests/bench/arrays $(call KEPT,arrays) $(abspath $(BUILD))/peers/python/bin/python

bench-oa: ## the workloads of the offload-annotations paper: eager, lazy on the processors, modelled on a simulated GPU, two on NumPy and Numba; OA=-paper takes larger sizes
	test -d $(BUILD)/peers/python || $(PYTHON) -m venv $(BUILD)/peers/python
	$(BUILD)/peers/python/bin/pip install -q -r tests/bench/arrays/requirements.txt
	$(GO) run ./tests/bench/oa $(call KEPT,evaluation) -python $(BUILD)/peers/python/bin/python $(OA)

bench-dp: $(VENV)/ready ## scans, sorts and segmented sums on the host beside NumPy, operators of programs beside built-in ones, a scan on a simulated GPU beside a copy
	$(GO) run ./tests/bench/dp $(call KEPT,dp) $(VPY)

bench-brook: $(VENV)/ready ## streams: maps, structs, reductions and passes beside what does the same, the paper's five programs beside NumPy, the advisor beside both ways
	$(GO) run ./tests/bench/brook $(call KEPT,brook) $(VPY)

hostile: ## readers of files, texts and messages beside damaged and hostile data, with more random cases than the test has
	$(GO) run ./tests/hostile $(call KEPT,hostile) -cases 1000 -seed $(SEED)

soak: ## long runs of the kernel: 20,000 mixed cells, 600 interrupts, 60 restarts; writes docs/design/measurements/soak.md
	$(GO) run ./tests/soak -o $(PAGES)/soak.md

bench-multi: ## several simulated GPUs: weak scaling, policies, planning, what simulating takes; beside Dask array with two processes; BASE=DIR compares one device with an earlier checkout
	test -d $(BUILD)/peers/dask || $(PYTHON) -m venv $(BUILD)/peers/dask
	$(BUILD)/peers/dask/bin/pip install -q --disable-pip-version-check -r tests/bench/multi/requirements.txt || echo "Dask is not to be had: its rows are skipped"
	$(GO) build -o $(BUILD)/bench-multi ./tests/bench/multi
	$(BUILD)/bench-multi $(call KEPT,multi) $(if $(BASE),-base $(BASE)) -python $(BUILD)/peers/dask/bin/python

bench-storage: $(VENV)/ready ## arrays in files beside raw reads and numpy.memmap, the memory they take, graphs and queries from disk; STORAGE="-mb 4096 -dir /mnt/disk" chooses
	$(GO) run ./tests/bench/storage $(call KEPT,storage) $(STORAGE) $(VPY)

bench-kir: ## the CPU engine of kir beside plain Go loops
	$(GO) run ./tests/bench/kir $(call KEPT,kir)

GALLERY := notebooks/90-gallery.ipynb notebooks/90b-more-charts.ipynb

gallery: $(VENV)/ready $(BIN) ## run the two notebooks of the gallery and keep their pictures, there and in docs/images/charts
	@for nb in $(GALLERY); do $(BIN) run $$nb -o $(BUILD)/gallery.ipynb && \
		$(VPY) tests/notebooks/keep.py $(BUILD)/gallery.ipynb $$nb docs/images/charts || exit 1; done

NOTEBOOKS ?= $(filter-out $(GALLERY),$(wildcard notebooks/*.ipynb))

notebooks: $(VENV)/ready $(BIN) ## run the tutorials and keep what can be read without running them; NOTEBOOKS=notebooks/01-tour.ipynb one of them
	@for nb in $(NOTEBOOKS); do echo "$$nb"; $(BIN) run $$nb -o $(BUILD)/executed.ipynb >/dev/null && \
		$(VPY) tests/notebooks/keep.py $(BUILD)/executed.ipynb $$nb || exit 1; done

generate: ## run the go generate steps
	$(GO) generate ./...

$(BIN): FORCE
	$(COMPILE) build -o $@ ./cmd/arrayrepl

$(VENV)/ready: tests/requirements.txt cmd/arrayrepl/lab-constraints.txt
	@test ! -L $(VENV) || { echo "$(VENV) is a link; what it leads to is not made or emptied from here: remove the link, or bring that environment up to date and touch $@"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(VPY) -m pip install -q --disable-pip-version-check -r tests/requirements.txt -c cmd/arrayrepl/lab-constraints.txt
	touch $@

$(BUILD)/node/node_modules: tests/node/package.json tests/node/package-lock.json
	mkdir -p $(BUILD)/node && cp tests/node/package*.json $(BUILD)/node/
	cd $(BUILD)/node && npm ci --no-audit --no-fund --loglevel=error
	touch $@

clean: ## remove what was built
	rm -rf $(BUILD)

FORCE:
