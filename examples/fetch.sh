#!/bin/sh
# Fetch what servers recorded: fetch.sh SERVERS FROM TO
#
# SERVERS is a file with a server on each line, FROM the directory on each of them,
# TO the directory here; each server has one of its own there. Sixteen servers are
# asked at once. A server that does not answer is named, and does not hold up others.
set -u
servers=${1:?a file of servers} from=${2:?their directory} to=${3:?the directory here}
mkdir -p "$to"
exec 9> "$to/.fetch.lock"
flock -n 9 || { echo "fetch.sh: another runs" >&2; exit 1; }

# --inplace: a file that grows stays the same file, so that limpet serve reads on.
# --delete: a file that was closed there is compressed, and its plain form gone.
export RSYNC_RSH="${RSYNC_RSH:-ssh -o BatchMode=yes -o ConnectTimeout=5}"
grep -v '^[[:space:]]*\(#\|$\)' "$servers" | xargs -P 16 -I '{}' sh -c '
	rsync --recursive --times --inplace --delete --timeout=60 --exclude=".*" "$0:$1/" "$2/$0/" ||
		{ echo "fetch.sh: not all of $0 was fetched" >&2; exit 1; }' '{}' "$from" "$to"
