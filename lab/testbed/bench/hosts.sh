#!/bin/bash
# hosts.sh builds the hosts and disks of one cluster: servers, clients, a bystander and a manager,
# each in a network namespace of its own.
#
#   image file ── loop A (limited) ── loop B
#
# Loop A is the disk: everybody shares its budget. Loop B is what the server sees of it. So a
# process that uses loop B is a hog, and a process that uses loop A keeps the disk busy behind the
# server's back.
#
# The limits come later, when the data that the workload reads have been written.
#
# Environment: SLOT NET WORK CONGESTION
#   HOSTS  NAME:NUMBER …, the number is the last part of the address
#   DISKS  SERVER:NAME:SEEN_MB:SPARE_MB:PARTS:FREE_MB …
#   SELF   the program that mounts images with delays; empty: images are plain files
set -euo pipefail
top=$WORK/$SLOT
mkdir -p "$top"

# host NAME ADDRESS joins a namespace to the bridge. Offloads are off, or
# the filter would drop super-packets of 64 kB.
host() {
	local ns=limpet-$SLOT-$1 out=lt$SLOT$1
	ip netns add "$ns"
	ip link add "$out" type veth peer name e0 netns "$ns"
	ip link set "$out" master "lt${SLOT}br" up
	ethtool -K "$out" tso off gso off gro off tx off >/dev/null 2>&1 || true
	ip -n "$ns" link set lo up
	ip -n "$ns" addr add "$2/24" dev e0
	ip -n "$ns" link set e0 up
	nsenter --net="/run/netns/$ns" ethtool -K e0 tso off gso off gro off >/dev/null 2>&1 || true
	ip -n "$ns" route replace "$NET.0/24" dev e0 proto kernel scope link src "$2" congctl "$CONGESTION"
}

# disk SERVER NAME SEEN SPARE PARTS FREE makes the two loop devices, and partitions on loop B.
disk() {
	local dir=$top/$1 seen
	mkdir -p "$dir"
	losetup -f --show --direct-io=on "$mounted/$1-$2" >"$dir/$2.A"
	seen=$(losetup -f --show --direct-io=on --partscan --sizelimit $(($3 << 20)) "$(cat "$dir/$2.A")")
	echo "$seen" >"$dir/$2.B"
	[ "$5" != 0 ] || return 0
	for _ in $(seq "$5"); do echo "size=$((($3 - $6 - 2) / $5))MiB"; done | sfdisk -q --label gpt "$seen"
	for _ in $(seq 50); do
		[ -b "${seen}p$5" ] && return
		partx -u "$seen" 2>/dev/null || true
		sleep 0.1
	done
	[ -b "${seen}p$5" ]
}

ip link add "lt${SLOT}br" type bridge
ip link set "lt${SLOT}br" up
for h in $HOSTS; do host "${h%:*}" "$NET.${h#*:}"; done

mkdir -p "$top/images"
for d in $DISKS; do
	IFS=: read -r server name seen spare _ <<<"$d"
	truncate -s $((seen + spare))M "$top/images/$server-$name"
done
mounted=$top/images
if [ -n "$SELF" ]; then
	mounted=$top/slow
	mkdir -p "$mounted"
	setsid "$SELF" images "$top/images" "$mounted" </dev/null >"$top/images.log" 2>&1 &
	for _ in $(seq 100); do
		mountpoint -q "$mounted" && break
		sleep 0.1
	done
	mountpoint -q "$mounted"
fi
for d in $DISKS; do
	IFS=: read -r server name seen spare parts free <<<"$d"
	disk "$server" "$name" "$seen" "$spare" "$parts" "$free"
done
