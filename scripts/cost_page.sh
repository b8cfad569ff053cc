#!/bin/sh
# Writes the page of what all units cost: those that ship, then worklist cores over lanes, entries and schemes.
# usage: cost_page.sh UNRULY PAGE
set -eu
unruly=$1
page=$2
part=$(mktemp)

tables() {
    echo "# Area and timing of all units"
    echo
    echo "Made by \`make cost\`; a result is computed once and kept in \`.cache/synth\`. What it means: [hwwl-cost.md](hwwl-cost.md), [iru-cost.md](iru-cost.md), [gw-cost.md](gw-cost.md)."
    echo "scheme: 0 none, 1 threshold, 2 local sorting, 3 global sorting (its unit is \`wru_global\`, outside the core); refill: 0 interval, 1 demand."
    echo
    echo "## The units that ship"
    echo
    echo "\`unruly area --markdown --unit UNIT\` for each unit"
    echo
    for unit in sram_1rw bank sorter wru_threshold wru_sorting wru_global hvu icrn hwwl_core hwwl \
        sram_1r1w queue iru_hash prefetcher classifier ring_stop fp32_add reorder_bank data_replier iru_partition iru \
        instruction_storage warp_status_table fetch_arbiter scoreboard scalar_register_map swfu scalar_wave_scoreboard \
        pair_scheduler gw_front_end instruction_buffer round_robin_scheduler; do
        "$unruly" area --markdown --unit "$unit" >"$part"
        if [ "$unit" = sram_1rw ]; then grep '^|' "$part"; else grep '^|' "$part" | tail -n +3; fi
    done
    echo
    grep -v '^|' "$part" | sed '/^$/d; s/$/  /'
    rm "$part"
    echo
    echo "## Worklist cores: lanes, entries, schemes"
    echo
    echo "\`unruly area --markdown --unit hwwl_core --set lanes=16,32 --set scheme=0,1,2,3 --set entries=8,32,128\`"
    echo
    cores=$("$unruly" area --markdown --unit hwwl_core --set lanes=16,32 --set scheme=0,1,2,3 --set entries=8,32,128)
    echo "$cores" | grep '^|'
}

whole=$(mktemp)
tables > "$whole"
cp "$whole" "$page"
rm "$whole"
