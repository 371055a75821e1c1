# What can be done here. `make` alone prints this list.
SHELL   := bash
GO      ?= go
comma   := ,
BIN     := $(CURDIR)/bin
LINT    := $(BIN)/golangci-lint
LINTVER := v2.12.2

# A compiler with fewer garbage collections needs a quarter less CPU for the largest packages, and a
# quarter more memory; programs and tests that are run keep their own setting.
export CGO_ENABLED := 0
export GOFLAGS     := $(strip $(shell $(GO) env GOFLAGS) -trimpath '-toolexec=env GOGC=400')

# The demonstration, the tests and the linter are compiled with the same flags: each package is
# compiled once, and the others find it in the build cache. They need no debug information, because
# stack traces and profiles do not use it. Without it the compiler needs 6 to 15 % less CPU.
# The packages of PLAIN take long to compile and have little to do in tests and in the demonstration:
# they are not optimized, which saves a third of the time that the compiler needs for them.
# Programs that people install (make build, make package) have debug information and are optimized.
PLAIN := github.com/nats-io/nats-server/v2/server github.com/ClickHouse/ch-go/proto github.com/ClickHouse/clickhouse-go/v2/lib/column
demo test test-full lint: export GOFLAGS += -gcflags=all=-dwarf=false $(foreach p,$(PLAIN),'-gcflags=$(p)=-dwarf=false -N -l')

# go build records no commit in a worktree of git, and none with -buildvcs=false.
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null)$(if $(shell git status --porcelain -uno 2>/dev/null),$(comma) changed)
LINK    := -ldflags "-X 'github.com/limpet-storage/limpet/internal/version.commit=$(COMMIT)'"

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(MAKEFILE_LIST))

help: ## print the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## simulate a small storage system with three faults, diagnose it, hold the incidents against them
	$(GO) build $(LINK) -o $(BIN)/demo/ ./cmd/limpet
	$(BIN)/demo/limpet demo --dir limpet-demo

build: ## build bin/limpet and bin/limpet-record, static binaries
	$(GO) build $(LINK) -o $(BIN)/ ./cmd/limpet ./cmd/limpet-record

manual: build ## write the man pages to bin/man, as packages install them
	$(BIN)/limpet manual --dir $(BIN)
	@echo 'man -l $(BIN)/man/limpet.1 shows the first'

test: ## run all tests, the longest with smaller cases; names what it skipped for want of a tool
	@GO=$(GO) .ci/test -short

test-full: ## run all tests with their full cases: twice as long
	@GO=$(GO) .ci/test

lint: $(LINT) ## gofumpt, vet, golangci-lint
	GOLANGCI_LINT_CACHE=$(BIN)/lint-cache $(LINT) run ./...

$(LINT): .golangci.yml .ci/linter
	GO=$(GO) .ci/linter $(LINTVER) $@

bench: ## measure the hot paths against their plain twins, sadf and DuckDB, in one run
	$(GO) test -run '^$$' -bench . -timeout 60m ./engine/distance/internal/sad ./record/sysstat/... ./ingest/...
	$(GO) test -run '^$$' -bench . -benchtime 3x -timeout 60m ./engine/persistence ./engine ./cmd/limpet
	$(GO) test -run '^$$' -bench . -timeout 60m ./record/kernel/... ./record ./record/agent/...
	$(GO) test -run '^$$' -bench . -timeout 60m ./raid/...
	$(GO) test -run '^$$' -bench . -benchtime 3x -timeout 60m ./study ./study/source
	cd study/duckdb && CGO_ENABLED=1 $(GO) test -bench . -benchtime 3x -timeout 60m .

evaluate: build ## reproduce the papers' tables on simulated systems: an hour and a half on two cores
	mkdir -p limpet-evaluate
	cd limpet-evaluate && $(BIN)/limpet evaluate testbench --csv testbench.csv --html testbench.html > testbench.txt
	cd limpet-evaluate && $(BIN)/limpet evaluate intrepid --csv intrepid.csv --html intrepid.html > intrepid.txt
	cd limpet-evaluate && $(BIN)/limpet evaluate testbench --sweep --runs 2 --csv sweep.csv --html sweep.html > sweep.txt
	cd limpet-evaluate && $(BIN)/limpet evaluate incidents --csv incidents.csv --html incidents.html > incidents.txt
	cat limpet-evaluate/testbench.txt limpet-evaluate/intrepid.txt limpet-evaluate/sweep.txt limpet-evaluate/incidents.txt

sensitivity: build ## double and halve each bound of docs/method.md on simulated systems, and print what that changes: an hour on two cores
	mkdir -p limpet-evaluate
	cd limpet-evaluate && $(BIN)/limpet evaluate sensitivity --csv sensitivity.csv --html sensitivity.html > sensitivity.txt
	cat limpet-evaluate/sensitivity.txt

SEED ?= 1
RUNS ?= 60
SYSTEM ?= gluster
TESTBED = limpet-testbed$(if $(filter-out gluster,$(SYSTEM)),-$(SYSTEM))
testbed: ## record RUNS (60) of SEED (1) on a real GlusterFS here (SYSTEM=ceph: Ceph), diagnose them: root, Linux, five minutes a run
	@$(GO) build -o $(BIN)/ ./cmd/limpet-testbed
	@if $(BIN)/limpet-testbed check --system $(SYSTEM); then \
	  $(MAKE) --no-print-directory build && \
	  $(BIN)/limpet-testbed record --system $(SYSTEM) --seed $(SEED) --runs $(RUNS) --dir $(TESTBED) --recorder $(BIN)/limpet-record && \
	  $(BIN)/limpet evaluate truth $(TESTBED); \
	fi

testbed-pauses: ## the same with hangs, full disks, self-heals and control runs in turn, RUNS=80 of SEED: three hours
	@$(GO) build -o $(BIN)/ ./cmd/limpet-testbed
	@if $(BIN)/limpet-testbed check; then \
	  $(MAKE) --no-print-directory build && \
	  $(BIN)/limpet-testbed record --seed $(SEED) --runs $(RUNS) --faults hang,disk-full,self-heal,none --dir limpet-testbed-pauses --recorder $(BIN)/limpet-record && \
	  $(BIN)/limpet evaluate truth limpet-testbed-pauses; \
	fi

testbed-loop: ## let limpet serve find and mask slow OSDs of a real Ceph by itself, 22 runs of SEED: root, Linux, four hours
	@$(GO) build -o $(BIN)/ ./cmd/limpet-testbed
	@if $(BIN)/limpet-testbed check --system ceph; then \
	  $(MAKE) --no-print-directory build && \
	  $(BIN)/limpet-testbed loop --seed $(SEED) --dir limpet-testbed-loop --recorder $(BIN)/limpet-record --limpet $(BIN)/limpet && \
	  cat limpet-testbed-loop/loop.csv; \
	fi

package: ## build .deb and .rpm for amd64 and arm64 in bin/packages, and try to install them
	packaging/build.sh $(BIN)/packages
	packaging/check.sh $(BIN)/packages

reproduce: ## build the packages twice, at two paths and with an empty cache, and compare the bytes
	packaging/reproduce.sh $(BIN)/packages

vulnerabilities: ## look for known weaknesses of what limpet calls, with govulncheck; skips by name without a database (GOVULNDB)
	@mkdir -p $(BIN)
	@GO=$(GO) packaging/vulnerabilities.sh $(BIN)

TORTURE ?= 30m
torture-array: ## torture the array twice for TORTURE (30m): by faults, and by kills
	$(GO) test -v -count 1 -timeout 0 ./raid/torture -run TestTorture -torture.for $(TORTURE) -torture.seed $${SEED:-1}
	$(GO) test -v -count 1 -timeout 0 ./raid/torture -run TestKilledServer -torture.for $(TORTURE) -torture.seed $${SEED:-1}

raid-masked: ## measure for MASKED (7m) what readers of an array wait for a slow member: without masking, with the array's policies, and told by a diagnosis
	$(GO) test -v -count 1 -timeout 0 ./raid/upkeep -run TestMaskedTable -masked.for $${MASKED:-7m} -masked.dir "$${MASKED_DIR:-}"

KILLS ?= 1000
kill-alerts: ## kill a server KILLS (1000) times between what it decides and what it delivers
	LIMPET_TEST_KILLS=$(KILLS) $(GO) test -v -count 1 -timeout 1h ./live/alert -run TestKilledBetweenCommitAndDelivery

kill-actions: KILLS = 500
kill-actions: ## kill an executor of actions KILLS (500) times between its steps and while commands run: none is doubled, none forgotten
	LIMPET_TEST_KILLS=$(KILLS) $(GO) test -v -count 1 -timeout 2h ./live/action -run TestKilledBetweenSteps

kill-watch: ## kill a running diagnosis KILLS (1000) times while files grow
	$(GO) test -v -count 1 -timeout 2h ./live/watch -run TestKilledAtAnyTime -kills $(KILLS)

promises: ## count false alarms at the evidence that suspects and incidents need: simulated noise, and healthy drives of PERSEUS=DIR
	$(GO) test -v -count 1 -timeout 2h ./engine/evidence -run TestRareFalseAlarms -args $(if $(PERSEUS),-perseus $(abspath $(PERSEUS)))

kill-cluster: KILLS = 100
kill-cluster: ## kill workers, ingest nodes, servers of NATS and whoever sends notifications KILLS (100) times while faults are under way, with a file damaged after every tenth kill; what is said and sent is held against one process
	$(GO) test -v -count 1 -timeout 3h ./live/cluster/torture -run TestKilledCluster -kills $(KILLS) -seed $${SEED:-1}

FROM ?=
upgrade-cluster: ## upgrade a cluster of twelve processes on real servers of NATS node by node, from this version with older saved states, or from the commit FROM, while faults are under way; ten minutes
	rm -rf limpet-from $(BIN)/from.test && if [ -n "$(FROM)" ]; then git worktree add --detach limpet-from $(FROM) && \
	  (cd limpet-from && $(GO) test -c -o $(BIN)/from.test ./live/cluster/torture); git worktree remove --force limpet-from; test -x $(BIN)/from.test || exit 1; fi
	$(GO) test -v -count 1 -timeout 1h ./live/cluster/torture -run TestUpgradedCluster -upgrade -seed $${SEED:-1} $(if $(FROM),-upgrade.from $(BIN)/from.test)

million: ## judge a million components as if they were live, in groups of 12, 100, 1,000 and 10,000, and 100,000 in one group: real-time factor, CPU, memory; 12 GB
	for g in 12 100 1000 10000; do $(GO) test -v -count 1 -timeout 2h ./engine -run '^TestMillion$$' -million 1000000 -peers $$g || exit 1; done
	$(GO) test -v -count 1 -timeout 2h ./engine -run '^TestMillion$$' -million 100000 -peers 100000
	$(GO) test -count 1 -timeout 2h ./engine/distance -run '^$$' -bench Crowd -benchtime 1x

STOREHOURS ?= 24
STORESERVERS ?= 16
stores: ## load STOREHOURS (24) of STORESERVERS (16; 128 are all, and need 40 GB in TMPDIR) servers of Intrepid and PERSEUS's tables into real stores (Prometheus, VictoriaMetrics, three nodes of Mimir), hold their diagnosis against that of the files; time, CPU and memory beside the files and curl: 6 GB of memory and 3 GB in TMPDIR
	LIMPET_TEST_STORES=$(STOREHOURS) LIMPET_TEST_SERVERS=$(STORESERVERS) $(GO) test -v -count 1 -timeout 3h ./cmd/limpet -run 'Stores'

DRIVEHOURS ?= 1000000000
billion: build ## study DRIVEHOURS (1e9) embedded, in slices that are written, reduced and removed, and in ClickHouse; a tenth of them beside DuckDB: 20 GB in TMPDIR
	$(GO) test -v -count 1 -timeout 6h ./study/source -run '^TestBillion$$' -billion $(DRIVEHOURS)
	$(GO) test -v -count 1 -timeout 6h ./study/clickhouse -run '^TestBillion$$' -billion $(DRIVEHOURS)
	rm -rf limpet-tenth && $(BIN)/limpet simulate fleet --dir limpet-tenth --disk-groups $$(( $(DRIVEHOURS) / 312000 )) --ssd-groups $$(( $(DRIVEHOURS) / 2080000 ))
	cd study/duckdb && CGO_ENABLED=1 $(GO) test -c -o $(BIN)/duckdb.test . && for who in limpet duckdb; do \
	  LIMPET_FLEET=$(CURDIR)/limpet-tenth /usr/bin/time -f "$$who: %e s, CPU %U s, at most %M kB, with a pass of limpet to count rows" $(BIN)/duckdb.test -test.run '^$$' -test.bench "FirstPass/$$who" -test.benchtime 1x || exit 1; done
	rm -rf limpet-tenth

kill-serve: ## kill a whole server KILLS (1000) times while files grow, somebody pushes, an endpoint is pulled and a webhook is told, with a file of the state damaged after every tenth kill
	$(GO) test -v -count 1 -timeout 3h ./server/serve/torture -run TestKilledWithFilesPushAndPull -kills $(KILLS) -harms 10 -hours 8

damage: ## damage every file of every saved state in every way (1,800 cases), after a clean stop, a kill and a backup: what starts, what is reported, what is lost, what in silence; five minutes
	$(GO) test -v -count 1 -timeout 1h -parallel 8 ./lab/damage -run TestMatrix -damage.all -damage.seed $${SEED:-1} | grep -v '^=== \|PASS: TestMatrix/.*/'; exit $${PIPESTATUS[0]}

EXPORTERS  ?= prometheus-node-exporter,node_exporter
PROMETHEUS ?= prometheus
VMAGENT    ?= vmagent
real-serve: build ## throttle a real drive behind node_exporter, Prometheus, vmagent and Alertmanager; pictures in bin/throttled: root, Linux, half an hour
	LIMPET_SCREENSHOTS=$(BIN)/throttled $(GO) test -v -count 1 -timeout 3h ./server/serve/realtest -real -real.limpet $(BIN)/limpet \
	  -real.exporters $(EXPORTERS) -real.prometheus $(PROMETHEUS) -real.vmagent $(VMAGENT)

SPEED ?= 20
live: build ## live through a day of Intrepid, or of what simulate wrote to LIVE, at SPEED (20) times real time: verdicts equal to those of diagnose, at most 1.3 times its CPU, 512 MB; 5 GB in TMPDIR
	$(if $(LIVE),,rm -rf limpet-live && $(BIN)/limpet simulate intrepid --compress=false --dir limpet-live)
	$(GO) test -v -count 1 -timeout 0 ./server/serve -run '^TestLive$$' -live.dir $(or $(LIVE),$(CURDIR)/limpet-live) -live.speed $(SPEED) -live.ratio 1.3 -live.mb 512

backlog: build ## begin to serve when a day of Intrepid, or of what simulate wrote to LIVE, is there already: live within 60 s, verdicts equal to those of diagnose
	$(if $(LIVE),,rm -rf limpet-live && $(BIN)/limpet simulate intrepid --compress=false --dir limpet-live)
	$(GO) test -v -count 1 -timeout 0 ./server/serve -run '^TestBacklog$$' -live.dir $(or $(LIVE),$(CURDIR)/limpet-live) -live.seconds 60

fuzz: ## fuzz every parser for 20 s each
	@for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime 20s -fuzzminimizetime 10x $$p || exit 1; \
	  done; \
	done

tails: ## record six loop devices, one of which delays some of its requests, and diagnose them; counts of requests against fio's: 13 minutes, as root, on a machine that does nothing else
	$(GO) test -v -count=1 -run '^(TestFio|TestNothingLost)$$' ./record/kernel/blkprobe -fio
	$(GO) test -v -count=1 -timeout 30m -run '^TestTails$$' ./cmd/limpet -tails 12m

tails-more: ## as tails, of delays of 10 ms, of one device with four times the load, an hour in which nothing is wrong, and an hour of samples against fio's count: three hours
	$(GO) test -v -count=1 -timeout 30m -run '^TestTails$$' ./cmd/limpet -tails 12m -tails-by 10ms
	$(GO) test -v -count=1 -timeout 30m -run '^TestTails$$' ./cmd/limpet -tails 30m -tails-share 0 -tails-rate 70 -tails-load 4
	$(GO) test -v -count=1 -timeout 90m -run '^TestTails$$' ./cmd/limpet -tails 60m -tails-share 0 -tails-mixed
	$(GO) test -v -count=1 -timeout 90m -run '^TestNothingLost$$' ./record/kernel/blkprobe -lasting 1h

torture: torture-readers torture-array torture-store ## what an adversary does, for longer than tests do: bombs, faults, fuzzing

torture-readers: # every command on every bomb within a gigabyte, power cuts and faults again and again, fuzzing of readers
	LIMPET_TORTURE=1 $(GO) test -v -count=1 -timeout 3h -run '^TestBombs$$' ./cmd/limpet
	$(GO) test -count=50 -timeout 1h -run 'PowerCut|Fault|BadDisk|Hung|Kill' ./lab/faultfs ./internal/outfile ./record
	for f in ./internal/unpack:FuzzReader ./ingest/tabular:FuzzWalk ./internal/printable:FuzzWriter ./lab/faultfs:FuzzParse ./cmd/limpet:FuzzCommand ./cmd/limpet:FuzzDiagnose; do \
	  $(GO) test -run '^$$' -fuzz "^$${f#*:}$$" -fuzztime 5m -fuzzminimizetime 10x $${f%:*} || exit 1; \
	done

console: ## build the console and the charts of pages from server/console/web into server/console/dist and report/page/assets, which are committed (npm)
	cd server/console/web && npm install --no-save --ignore-scripts --no-audit --no-fund && npm run format && npm run lint && npm run check && npm run build

console-check: ## prove that server/console/dist is what server/console/web builds; skips by name without npm
	server/console/check.sh

demo-picture: build ## draw docs/demo.png, the page of the demonstration, anew: chromium
	rm -rf bin/picture && mkdir -p bin/picture && cd bin/picture && $(BIN)/limpet demo >/dev/null && \
	  $(BIN)/limpet diagnose --topology limpet-demo/topology.yaml --html demo.html limpet-demo/activity >/dev/null && \
	  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir=profile --virtual-time-budget=5000 \
	    --window-size=1200,1240 --screenshot=$(CURDIR)/docs/demo.png "file://$$PWD/demo.html"

top-pictures: build ## draw the pictures of docs/top.md anew: tmux and Python, two minutes
	docs/top/pictures.sh $(BIN)/limpet

console-walk: ## look at every view of the console in the light, at night and on a phone, with axe-core; pictures in bin/console
	LIMPET_CONSOLE_WALK=1 LIMPET_SCREENSHOTS=$(BIN)/console $(GO) test -v -count 1 -timeout 20m -run TestConsole ./server/console

URL ?= http://127.0.0.1:9714
console-walk-running: ## the same with the console of a limpet serve that runs at URL and has an incident of something slow; pictures in bin/console
	LIMPET_CONSOLE_URL=$(URL) LIMPET_SCREENSHOTS=$(BIN)/console $(GO) test -v -count 1 -timeout 20m -run TestRunning ./server/console

UPDATES ?= 240
console-figures: ## measure the console with 9,216 attachments and with 100,008 drives, and its heap over UPDATES (240: an hour of rows)
	LIMPET_CONSOLE_FIGURES=$(UPDATES) $(GO) test -v -count 1 -timeout 20m -run TestFigures ./server/console

SITE ?= small
console-serve: ## serve a made-up SITE (small, calm, intrepid, fleet) with the console at 127.0.0.1:9714
	LIMPET_CONSOLE=$(SITE) $(GO) test -count 1 -timeout 0 -run TestServe ./server/sitetest

torture-store: # journals and histories whose processes are killed thousands of times, on disks that fail
	$(GO) test -v -count 1 -timeout 2h ./live/journal -run 'Killed' -journal.kills 5000
	$(GO) test -v -count 1 -timeout 2h ./live/history -run 'Killed' -history.kills 2000
	$(GO) test -count 50 -timeout 1h -run 'PowerCut|Fault|DiskFull|Twin|Replay' ./live/journal ./live/history

phrases: ## write docs/phrases.md, every sentence that limpet can print, from the source
	$(GO) test -count 1 -run '^TestPage$$' ./internal/phrases -update

generate: ## regenerate assembly
	$(GO) generate ./...

top-throttled: ## make a real drive slow under fio, and print the seconds until limpet top has it first, suspect and incident: root, Linux, fio, some minutes
	LIMPET_TEST_ROOT=1 $(GO) test -v -count 1 -timeout 20m -run '^TestTopThrottled$$' ./cmd/limpet

top-cost: ## measure limpet top with 72 loop devices at a terminal of tmux, 60 s with and without latencies of requests: root, Linux, fio, tmux
	LIMPET_TEST_ROOT=1 $(GO) test -v -count 1 -timeout 20m -run '^TestTopCost$$' ./cmd/limpet

top-soak: ## draw 100,000 frames of limpet top with every key, and 100,000 components: memory must not grow; some minutes
	LIMPET_SOAK_FRAMES=100000 $(GO) test -v -count 1 -timeout 1h -run '^(TestSoak|TestHundredThousand)$$' ./live/top/screen
	$(GO) test -v -count 1 -run '^TestMemory$$' -bench Frame ./live/top

tutorial: build ## run docs/tutorial.md to its end, a real drive that is made slow: root, Linux, fio, a quarter of an hour
	PATH=$(BIN):$$PATH LIMPET_TEST_ROOT=1 $(GO) test -v -count 1 -timeout 30m -run TestDocs/tutorial ./cmd/limpet
