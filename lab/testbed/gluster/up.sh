#!/bin/bash
# up.sh builds one cluster: six servers, two clients and a bystander, each in a
# network namespace of its own, with a GlusterFS volume over all servers.
#
#   image file ── loop A (limited) ── loop B ── XFS ── brick
#
# Loop A is the disk: everybody shares its budget. Loop B is what the server
# sees of it. So a process that uses loop B is a hog, and one that uses loop A
# keeps the disk busy behind the server's back.
#
# The limits come later, when what the workload reads has been written.
#
# Environment: SLOT NET WORK VOLUME CONGESTION VOLFILE
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

# disk SERVER makes the two loop devices and the brick's file system. The strict
# limit keeps writeback from swallowing a minute of writes.
disk() {
	local dir=$top/s$1 number
	mkdir -p "$dir"/{lib,run,log,brick}
	truncate -s 1600M "$dir/limpet-testbed.img"
	losetup -f --show --direct-io=on "$dir/limpet-testbed.img" >"$dir/loopA"
	losetup -f --show --direct-io=on --sizelimit $((1300 << 20)) "$(cat "$dir/loopA")" >"$dir/loopB"
	mkfs.xfs -q -f "$(cat "$dir/loopB")"
	mount "$(cat "$dir/loopB")" "$dir/brick"
	mkdir "$dir/brick/b"
	number=$(cat "/sys/block/$(basename "$(cat "$dir/loopB")")/dev")
	echo 1 >"/sys/class/bdi/$number/strict_limit"
	echo $((32 << 20)) >"/sys/class/bdi/$number/max_bytes"
}

# glusterd has directories of its own in a mount namespace. In the network
# namespace alone it would share /var/lib/glusterd with the others. It lets go of
# the mounts of others, which could not be removed while it lives.
daemon() {
	local dir=$top/s$1
	nsenter --net="/run/netns/limpet-$SLOT-s$1" unshare -m bash -c "
		mount --make-rprivate /
		awk -v work='$WORK/' -v own='$dir/' 'index(\$2, work) == 1 && index(\$2, own) != 1 {print \$2}' /proc/mounts | xargs -r umount -l
		mount -t tmpfs tmpfs /run
		mkdir -p /var/lib/glusterd /run/gluster /var/log/glusterfs
		mount --bind $dir/lib /var/lib/glusterd
		mount --bind $dir/run /run/gluster
		mount --bind $dir/log /var/log/glusterfs
		exec glusterd -N -L WARNING" </dev/null >"$dir/glusterd.out" 2>&1 &
	echo $! >"$dir/pid"
}

gluster_() { nsenter -t "$(cat "$top/s$1/pid")" -m -n timeout 60 gluster --mode=script "${@:2}"; }

# patiently runs a command until it works, for twenty seconds.
patiently() {
	for _ in $(seq 40); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.5
	done
	"$@"
}

ip link add "lt${SLOT}br" type bridge
ip link set "lt${SLOT}br" up
for i in 1 2 3 4 5 6; do host s$i "$NET.$i"; done
for h in c1:101 c2:102 h:103; do host ${h%:*} "$NET.${h#*:}"; done
for i in 1 2 3 4 5 6; do disk $i; done
for i in 1 2 3 4 5 6; do daemon $i; done
for i in 1 2 3 4 5 6; do patiently gluster_ $i pool list; done
for i in 2 3 4 5 6; do patiently gluster_ 1 peer probe "$NET.$i"; done
connected() { [ "$(gluster_ 1 pool list | grep -c Connected)" = 6 ]; }
patiently connected

bricks=()
for i in 1 2 3 4 5 6; do bricks+=("$NET.$i:$top/s$i/brick/b"); done
off=(performance.write-behind off performance.read-ahead off performance.io-cache off performance.quick-read off performance.open-behind off)
case $VOLUME in
ec)
	patiently gluster_ 1 volume create v disperse 6 redundancy 2 "${bricks[@]}" force
	gluster_ 1 volume set v "${off[@]}" disperse.read-policy round-robin
	;;
sh)
	patiently gluster_ 1 volume create v "${bricks[@]}" force
	gluster_ 1 volume set v "${off[@]}" features.shard on features.shard-block-size 4MB
	;;
esac
gluster_ 1 volume start v
for c in 1 2; do
	mkdir -p "$top/c$c"
	nsenter --net="/run/netns/limpet-$SLOT-c$c" glusterfs --volfile-server="$NET.$VOLFILE" --volfile-id=v \
		--direct-io-mode=enable --log-file="$top/c$c.log" --pid-file="$top/c$c.pid" "$top/c$c"
done
ready() { mkdir -p "$top/c1/ready" "$top/c2/ready"; }
patiently ready
