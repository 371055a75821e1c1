#!/bin/sh
# Five small drives that are read all the time, one of which can be made slow.
# Root, Linux and fio. The drives are loop devices over files of 64 MB in DIR; a control
# group makes what lies below one of them slow for its reader.
#
#   throttled.sh start DIR     make the drives, and read from each 50 times a second
#   throttled.sh slow DIR      let the third answer 20 reads a second
#   throttled.sh well DIR      let it answer as fast as it can again
#   throttled.sh stop DIR      end the readers, take the drives away
set -eu
usage() {
	echo "throttled.sh: $1; write: throttled.sh start|slow|well|stop DIR" >&2
	exit 2
}
fail() {
	echo "throttled.sh: $1" >&2
	exit 1
}
if [ $# != 2 ]; then usage "give a command and a directory"; fi
what=$1 dir=$2
case $what in
start | slow | well | stop) ;;
*) usage "there is no command $what" ;;
esac
if [ "$what" = start ]; then
	if [ -e "$dir/running" ]; then fail "the drives in $dir were started before; stop them first: throttled.sh stop $dir"; fi
	if [ -e "$dir" ] && [ ! -d "$dir" ]; then fail "$dir is not a directory"; fi
elif [ ! -f "$dir/running" ]; then
	fail "$dir has no drives that throttled.sh has started; name the directory that was given to throttled.sh start"
fi
if [ "$(id -u)" != 0 ]; then fail "run this as root: loop devices and control groups need it"; fi
for tool in fio losetup; do
	if ! command -v $tool > /dev/null; then fail "the program $tool is not installed"; fi
done

# The controller of block devices: version 2 of control groups, else version 1.
if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
	top=/sys/fs/cgroup version=2
else
	top=/sys/fs/cgroup/blkio version=1
fi

# below is the number of the disk that DIR lies on.
below() {
	part=/sys/dev/block/$(stat -c %Hd:%Ld "$dir")
	if [ -f "$part/partition" ]; then part=$part/..; fi
	cat "$part/dev"
}

limit() { # of reads a second, 0 for none
	if [ $version = 2 ]; then
		if [ "$1" = 0 ]; then n=max; else n=$1; fi
		echo "$(below) riops=$n" > $top/limpet-drive3/io.max
	else
		echo "$(below) $1" > $top/limpet-drive3/blkio.throttle.read_iops_device
	fi
}

# reader reads blocks from a device, 50 a second at most.
reader() {
	exec fio --name=reader --filename="$1" --readonly --rw=randread --bs=4k --direct=1 --ioengine=psync --thread \
		--rate_iops=50 --time_based --runtime=1d
}

case $what in
start)
	mkdir -p "$dir"
	if [ $version = 2 ]; then echo +io > $top/cgroup.subtree_control; fi
	for i in 1 2 3 4 5; do
		head -c 67108864 /dev/urandom > "$dir/drive$i"
		device=$(losetup --find --show --direct-io=on "$dir/drive$i")
		mkdir -p "$top/limpet-drive$i"
		(
			sh -c 'echo $PPID' > "$top/limpet-drive$i/cgroup.procs"
			reader "$device"
		) < /dev/null > /dev/null 2>&1 &
		echo "$! $device" >> "$dir/running"
	done
	{
		echo "servers: $(uname -n)"
		echo "drives:"
		echo "  - devices: $(cut -d/ -f3 "$dir/running" | paste -sd, - | sed "s/,/, /g")"
	} > "$dir/drives.yaml"
	cat "$dir/drives.yaml"
	;;
slow) limit 20 ;;
well) limit 0 ;;
stop)
	limit 0
	while read -r pid device; do
		kill "$pid" || true
		while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
		losetup --detach "$device"
	done < "$dir/running"
	sleep 1
	for i in 1 2 3 4 5; do rmdir "$top/limpet-drive$i" && rm -f "$dir/drive$i"; done
	rm -f "$dir/running" "$dir/drives.yaml"
	;;
esac
