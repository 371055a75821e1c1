#!/bin/bash
# up.sh starts a Ceph on the hosts of a cluster: a monitor and a manager on host m, an OSD for each
# entry of OSDS, and a pool.
#
# Environment: SLOT NET WORK MANAGER (address) VOLUME PGS
#   OSDS  NUMBER:SERVER:DEVICE[:DB_DEVICE] …
set -euo pipefail
top=$WORK/$SLOT
conf=$top/ceph.conf
mkdir -p "$top"/{mon,mgr,log,run}
fsid=$(cat /proc/sys/kernel/random/uuid)
addresses="[v2:$MANAGER:3300,v1:$MANAGER:6789]"

# Authentication is off, because nobody else reaches these addresses. Each OSD has the same weight,
# so that a smaller disk gets as many placement groups. Reads and writes are not kept in memory: a
# real OSD has far more data than memory. An OSD that is nearly full does not stop the writes of the
# cluster. Nothing but the run starts scrubs or moves data.
cat >"$conf" <<C
[global]
fsid = $fsid
mon_host = $addresses
public_network = $NET.0/24
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
auth_allow_insecure_global_id_reclaim = true
mon_warn_on_insecure_global_id_reclaim_allowed = false
mon_allow_pool_delete = true
mon_allow_pool_size_one = true
ms_bind_ipv6 = false
log_file = $top/log/\$name.log
admin_socket = $top/run/\$name.asok
pid_file = $top/run/\$name.pid
run_dir = $top/run
mon_data = $top/mon
mgr_data = $top/mgr
osd_data = $top/osd\$id
osd_pool_default_size = 3
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_crush_initial_weight = 1
osd_memory_target = 939524096
osd_op_num_shards = 2
osd_op_num_threads_per_shard = 1
bluestore_cache_autotune = false
bluestore_cache_size = 67108864
bluestore_default_buffered_read = false
rbd_cache = false
mon_osd_backfillfull_ratio = 0.985
mon_osd_full_ratio = 0.99
osd_failsafe_full_ratio = 0.995
mgr_initial_modules = iostat
mon_data_avail_warn = 1
mon_data_avail_crit = 1
C

# on HOST COMMAND runs a command in the namespaces of a host, under its name.
on() { nsenter --net="/run/netns/limpet-$SLOT-$1" unshare -u bash -c 'hostname "$0"; exec "$@"' "$1" "${@:2}"; }
ceph_() { on m timeout 60 ceph -c "$conf" "$@"; }
daemon() { on "$1" "${@:2}" --setuser root --setgroup root </dev/null; }

# patiently runs a command until it works, for a minute.
patiently() {
	for _ in $(seq 120); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.5
	done
	"$@"
}

monmaptool --create --clobber --fsid "$fsid" --addv a "$addresses" "$top/monmap" >/dev/null
daemon m ceph-mon -c "$conf" -i a --mkfs --monmap "$top/monmap"
daemon m ceph-mon -c "$conf" -i a
daemon m ceph-mgr -c "$conf" -i x
patiently ceph_ -s

osd() {
	local number=$1 server=$2 device=$3 db=${4:-} uuid dir=$top/osd$1
	mkdir -p "$dir"
	ln -sf "$device" "$dir/block"
	[ -z "$db" ] || ln -sf "$db" "$dir/block.db"
	uuid=$(cat "$dir.uuid")
	daemon "$server" ceph-osd -c "$conf" -i "$number" --mkfs --osd-uuid "$uuid"
	daemon "$server" ceph-osd -c "$conf" -i "$number"
}
for entry in $OSDS; do
	number=${entry%%:*}
	cat /proc/sys/kernel/random/uuid >"$top/osd$number.uuid"
	ceph_ osd new "$(cat "$top/osd$number.uuid")" "$number" >/dev/null
done
started=()
for entry in $OSDS; do
	IFS=: read -r number server device db <<<"$entry"
	osd "$number" "$server" "$device" "$db" &
	started+=($!)
done
for pid in "${started[@]}"; do wait "$pid"; done

# The manager knows its commands some seconds after it has started.
patiently ceph_ balancer off
ceph_ osd set noscrub
ceph_ osd set nodeep-scrub
case $VOLUME in
ec)
	ceph_ osd erasure-code-profile set four-two k=4 m=2 crush-failure-domain=osd
	ceph_ osd pool create p "$PGS" "$PGS" erasure four-two
	;;
rep)
	ceph_ osd pool create p "$PGS" "$PGS" replicated
	;;
rep2)
	ceph_ osd pool create p "$PGS" "$PGS" replicated
	ceph_ osd pool set p size 2
	;;
esac
ceph_ osd pool application enable p bench
ceph_ config set mgr mgr/prometheus/server_addr 0.0.0.0
ceph_ config set mgr mgr/prometheus/scrape_interval 5
ceph_ mgr module enable prometheus
clean() { ceph_ pg stat | grep -qE "^$((PGS + EXTRA)) pgs: $((PGS + EXTRA)) active\\+clean;"; }
EXTRA=$(ceph_ osd pool ls | grep -c device_health_metrics || true)
patiently clean
