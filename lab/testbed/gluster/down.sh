#!/bin/bash
# down.sh takes away whatever up.sh made for a slot, and whatever a run that was
# killed left behind. It finds its own by name: namespaces limpet-SLOT-*, links
# ltSLOT*, loop devices over limpet-testbed.img, mounts below WORK/SLOT.
#
# Environment: SLOT WORK BLKIO
set -uo pipefail
top=$WORK/$SLOT

namespaces() { ip netns list | awk '{print $1}' | grep -E "^limpet-$SLOT-(s[1-6]|c[12]|h)\$"; }
signal() { for ns in $(namespaces); do ip netns pids "$ns" | xargs -r kill "$1" 2>/dev/null; done; }

disks() { losetup -nO NAME,BACK-FILE | awk -v top="$top/" 'index($2, top) == 1 {print $1}'; }

# gone waits until the namespaces have no process, or for five seconds.
gone() {
	for _ in $(seq 50); do
		[ -z "$(for ns in $(namespaces); do ip netns pids "$ns"; done)" ] && return
		sleep 0.1
	done
}

# Whoever waits for a limited disk dies only when the disk has answered.
free_disks() {
	local number limit
	for loop in $(disks); do
		number=$(cat "/sys/block/$(basename "$loop")/dev")
		for limit in read_bps write_bps read_iops write_iops; do
			echo "$number 0" >"$BLKIO/blkio.throttle.${limit}_device"
		done
	done
}

free_disks
signal -KILL
for c in 1 2; do umount -l "$top/c$c" 2>/dev/null; done
gone
for i in 1 2 3 4 5 6; do
	for _ in $(seq 50); do
		mountpoint -q "$top/s$i/brick" || break
		umount "$top/s$i/brick" 2>/dev/null || sleep 0.2
	done
done
# A loop device lets go when its last user has, which may be a moment later.
for _ in $(seq 100); do
	[ -n "$(disks)" ] || break
	for a in $(disks); do
		losetup -nO NAME,BACK-FILE | awk -v a="$a" '$2 == a {print $1}' | xargs -rn 1 losetup -d 2>/dev/null
		losetup -d "$a" 2>/dev/null
	done
	sleep 0.1
done
for ns in $(namespaces); do ip netns del "$ns"; done
ip -o link | grep -oE "\blt$SLOT(s[1-6]|c[12]|h|br)\b" | sort -u | xargs -rn 1 ip link del 2>/dev/null
left=$(
	namespaces
	disks
	grep -F " $top/" /proc/mounts
)
[ -z "$left" ] || { echo "still there: $left" >&2; exit 1; }
rm -rf "$top"
