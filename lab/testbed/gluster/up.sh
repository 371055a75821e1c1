#!/bin/bash
# up.sh starts a GlusterFS volume over the six servers of a cluster, and mounts it on its clients.
# Loop B of a server's disk holds an XFS, and the XFS holds the brick.
#
# Environment: SLOT NET WORK VOLUME VOLFILE CLIENTS AHEAD
set -euo pipefail
top=$WORK/$SLOT
mkdir -p "$top"

# disk SERVER makes the brick's file system. The strict limit keeps writeback from swallowing a
# minute of writes.
disk() {
	local dir=$top/s$1 loop number
	loop=$(cat "$dir/disk.B")
	mkdir -p "$dir"/{lib,run,log,brick}
	mkfs.xfs -q -f "$loop"
	mount "$loop" "$dir/brick"
	mkdir "$dir/brick/b"
	number=$(cat "/sys/block/$(basename "$loop")/dev")
	echo 1 >"/sys/class/bdi/$number/strict_limit"
	echo $((32 << 20)) >"/sys/class/bdi/$number/max_bytes"
	[ "$AHEAD" = 0 ] || echo "$AHEAD" >"/sys/class/bdi/$number/read_ahead_kb"
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
for c in $(seq "$CLIENTS"); do
	mkdir -p "$top/c$c"
	nsenter --net="/run/netns/limpet-$SLOT-c$c" glusterfs --volfile-server="$NET.$VOLFILE" --volfile-id=v \
		--direct-io-mode=enable --log-file="$top/c$c.log" --pid-file="$top/c$c.pid" "$top/c$c"
done
ready() { mkdir -p "$top/c1/ready" "$top/c2/ready"; }
patiently ready
