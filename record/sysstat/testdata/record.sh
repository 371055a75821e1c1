#!/bin/sh
# Records the fixtures of this directory with the sysstat that is installed.
set -e
sadc=${SADC:-/usr/lib/sysstat/sadc}
load() { # writes and reads for about $1 seconds
	for i in $(seq "$1"); do
		dd if=/dev/zero of=load bs="$((i * 16))k" count=150 oflag=direct
		dd if=load of=/dev/null bs="$((i * 8))k" iflag=direct
		sleep 0.6
	done 2>/dev/null
	rm -f load
}
rm -f sa-*

# Disks, interfaces and TCP, seconds apart.
load 7 & $sadc -S DISK,SNMP 1 6 sa-disk; wait

# Restarts and comments between samples, in a zone that is not UTC.
export TZ=IST-5:30
$sadc -S DISK sa-restart
load 3 & $sadc -S DISK 1 3 sa-restart; wait
$sadc -C 'dev 254:0=vda size=270582939648' sa-restart
$sadc -S DISK 1 1 sa-restart
$sadc -S DISK sa-restart
$sadc -S DISK sa-restart
load 3 & $sadc -S DISK 1 3 sa-restart; wait
unset TZ

# Everything, a matrix among it.
$sadc -S XALL 1 3 sa-all

# Host and kernel are nobody's business: 65 bytes each in the file header.
put() { # file, offset in the header, text
	{ printf '%s' "$3"; head -c $((65 - ${#3})) /dev/zero; } |
		dd of="$1" bs=1 seek=$((76 + $2)) conv=notrunc 2>/dev/null
}
for f in sa-*; do
	put $f 132 store-1
	put $f 197 6.1.0-30-amd64
done
xz -k sa-disk
bzip2 -k sa-disk

for f in sa-disk sa-restart sa-all; do
	LC_ALL=C sadf -d $f -- -d >$f.disk
	LC_ALL=C sadf -d $f -- -n DEV >$f.dev
	LC_ALL=C sadf -d $f -- -n EDEV >$f.edev
	LC_ALL=C sadf -d $f -- -u ALL -P ALL >$f.cpu
done
for f in sa-disk sa-all; do
	LC_ALL=C sadf -d $f -- -n TCP >$f.tcp
	LC_ALL=C sadf -d $f -- -n ETCP >$f.etcp
done
