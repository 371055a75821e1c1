#!/usr/bin/env bash
# Draws the pictures of docs/top.md anew: it simulates two storage systems with one slow
# LUN each, runs limpet top on them in terminals of tmux, and draws the screens as SVG.
# Usage: docs/top/pictures.sh LIMPET
set -euo pipefail
limpet=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'tmux -L "$$" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

simulate() { # DIR ARRAYS: a day, in which LUN 7.04 is slow since 22:00
	echo 'events: [{at: 22h, mechanism: slow lun, components: "7.04", factor: 3}]' >events.yaml
	"$limpet" simulate intrepid --arrays "$2" --servers $((8 * $2)) --luns $((72 * $2)) --seed 2 --events events.yaml --dir "$1" >/dev/null
}

picture() { # NAME COLUMNSxLINES dark|light DIR KEYS [ENV...]
	local name=$1 size=$2 colours=$3 dir=$4 keys=$5
	shift 5
	tmux -L "$$" new-session -d -s "$name" -x "${size%x*}" -y "${size#*x}" \
		env TERM=tmux-256color "$@" "$limpet" top --since 3h -t "$dir/topology.yaml" "$dir/activity"
	# The files have been read when the screen does not change any more.
	for ((i = 0, same = 0; same < 3; i++)); do
		[ "$i" -lt 180 ] || { echo "$name: limpet top still reads after three minutes" >&2; exit 1; }
		sleep 1
		tmux -L "$$" capture-pane -p -t "$name" >now
		if grep -q "incident," now && cmp -s now before; then same=$((same + 1)); else same=0; fi
		mv now before
	done
	for key in $keys; do
		tmux -L "$$" send-keys -t "$name" "$key"
		sleep 0.5
	done
	sleep 2
	tmux -L "$$" capture-pane -e -p -t "$name" >"$name.ansi"
	tmux -L "$$" kill-session -t "$name"
	"$here/picture.py" "$name.ansi" "$here/$name.svg" "$colours"
}

simulate small 3
simulate intrepid 16
picture small 80x24 dark small ""
picture nocolour 80x24 dark small "" NO_COLOR=1
picture evidence 110x36 dark small "Enter"
picture wide 128x36 light small "g"
picture intrepid 99x30 dark intrepid ""
