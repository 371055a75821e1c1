#!/bin/bash
# down.sh removes whatever hosts.sh and the system made for a slot, and whatever a run that was
# killed left behind. It finds its own by name: namespaces limpet-SLOT-*, links ltSLOT*, loop
# devices over files below WORK/SLOT, mounts below WORK/SLOT.
#
# Environment: SLOT WORK BLKIO
set -uo pipefail
top=$WORK/$SLOT

namespaces() { ip netns list | awk '{print $1}' | grep -E "^limpet-$SLOT-(s[1-9]|c[1-9]|h|m)\$"; }
signal() { for ns in $(namespaces); do ip netns pids "$ns" | xargs -r kill "$1" 2>/dev/null; done; }

# disks are the loops A, and above are the loops B over one of them.
disks() { losetup -nO NAME,BACK-FILE | awk -v top="$top/" 'index($2, top) == 1 {print $1}'; }
above() { losetup -nO NAME,BACK-FILE | awk -v a="$1" '$2 == a {print $1}'; }
mounts() { awk -v top="$top/" 'index($2, top) == 1 {print $2}' /proc/mounts | sort -r; }

# gone waits until the namespaces have no process, or for five seconds.
gone() {
	for _ in $(seq 50); do
		[ -z "$(for ns in $(namespaces); do ip netns pids "$ns"; done)" ] && return
		sleep 0.1
	done
}

# A process that waits for a limited disk dies only when the disk has answered.
free_disks() {
	local number limit
	for loop in $(for a in $(disks); do echo "$a"; above "$a"; done); do
		number=$(cat "/sys/block/$(basename "$loop")/dev")
		for limit in read_bps write_bps read_iops write_iops; do
			echo "$number 0" >"$BLKIO/blkio.throttle.${limit}_device"
		done
	done
}

[ ! -e "$top/slow/delays" ] || echo none >"$top/slow/delays"
free_disks
signal -CONT
signal -KILL
# A client that was killed leaves a mount that cannot be used, so mountpoint does not find it below.
for c in $(mounts | grep -E "^$top/c[1-9]\$"); do umount -l "$c" 2>/dev/null; done
gone
for mount in $(mounts); do
	[ "$mount" = "$top/slow" ] && continue
	for _ in $(seq 50); do
		mountpoint -q "$mount" || break
		umount "$mount" 2>/dev/null || sleep 0.2
	done
done
# A loop device lets go when its last user has, which may be a moment later.
for _ in $(seq 100); do
	[ -n "$(disks)" ] || break
	for a in $(disks); do
		above "$a" | xargs -rn 1 losetup -d 2>/dev/null
		losetup -d "$a" 2>/dev/null
	done
	sleep 0.1
done
# The file system of the images ends when it is unmounted.
for _ in $(seq 50); do
	mountpoint -q "$top/slow" || break
	umount "$top/slow" 2>/dev/null || sleep 0.1
done
for ns in $(namespaces); do ip netns del "$ns"; done
ip -o link | grep -oE "\blt$SLOT(s[1-9]|c[1-9]|h|m|br)\b" | sort -u | xargs -rn 1 ip link del 2>/dev/null
left=$(
	namespaces
	disks
	mounts
)
[ -z "$left" ] || { echo "still there: $left" >&2; exit 1; }
rm -rf "$top"
