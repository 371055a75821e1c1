#!/usr/bin/env bash
# check.sh DIR looks into the packages that build.sh left in DIR, installs the
# .deb ones below a directory of its own, and names what it skipped for want of
# a tool.
set -euo pipefail
dir=$(realpath "$1")
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
	echo "check: $*" >&2
	exit 1
}
skip() { echo "skipped: $*"; }
have() { command -v "$1" >/dev/null 2>&1; }

# paths PACKAGE: what the package is to hold, but for directories.
paths() {
	[ "$1" = limpet-record ] || echo /usr/bin/limpet
	echo /usr/bin/limpet-record
	echo /usr/lib/systemd/system/limpet-record.service
	echo /etc/default/limpet-record
	echo "/usr/share/doc/$1/copyright"
}

# same PACKAGE WHAT: stdin lists what the package is to hold, and no more.
same() {
	diff <(paths "$1" | sort) <(sort) >&2 || fail "$2 holds other files (>) than it should (<)"
}

check_deb() {
	local deb=$1 name
	name=$(dpkg-deb -f "$deb" Package)
	dpkg-deb -c "$deb" | awk '$1 !~ /^d/ {print $6}' | sed 's/^\.//' | same "$name" "$deb"
	[ "$(dpkg-deb --ctrl-tarfile "$deb" | tar -xO ./conffiles)" = /etc/default/limpet-record ] ||
		fail "$deb: /etc/default/limpet-record is not its conffile"
	dpkg-deb -x "$deb" "$scratch/$name"
	cmp "$scratch/$name/usr/lib/systemd/system/limpet-record.service" limpet-record.service
	[ -x "$scratch/$name/usr/bin/limpet-record" ] || fail "$deb: limpet-record cannot be run"
}

# in_root DPKG-ARGUMENTS: dpkg, with its database and all files below a root.
in_root() {
	dpkg --root="$scratch/root" --force-not-root --force-script-chrootless --log="$scratch/dpkg.log" "$@" \
		>"$scratch/dpkg.out" 2>&1 || { cat "$scratch/dpkg.out" >&2; fail "dpkg $*"; }
}

# install_debs: one package takes the other's place, and settings stay.
install_debs() {
	local root=$scratch/root package
	mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/triggers"
	touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
	in_root -i "$dir"/limpet-record_*.deb
	echo 'OPTIONS="--no-tcp"' >"$root/etc/default/limpet-record"
	for package in limpet limpet-record; do
		in_root --auto-deconfigure --force-confdef -i "$dir/${package}"_*.deb
		[ "$(dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${db:Status-Status}' "$package")" = installed ] ||
			fail "$package is not installed"
		(cd "$root" && find usr etc \( -type f -o -type l \) -printf '/%p\n') | same "$package" "the root with $package"
		grep -q -- --no-tcp "$root/etc/default/limpet-record" || fail "$package overwrote the settings"
	done
	in_root -r limpet-record
	[ ! -e "$root/usr/bin/limpet-record" ] || fail "limpet-record was removed and is there"
}

check_rpm() {
	local rpm=$1 name
	name=$(rpm -qp --qf '%{NAME}' "$rpm")
	rpm -qlp "$rpm" | same "$name" "$rpm"
	[ "$(rpm -qp --configfiles "$rpm")" = /etc/default/limpet-record ] ||
		fail "$rpm: /etc/default/limpet-record is not its configuration"
	rpm -qp --conflicts "$rpm" | grep -q '^limpet' || fail "$rpm does not conflict with the other"
}

for package in limpet limpet-record; do
	for file in "$dir/${package}"_*.deb "$dir/$package"-[0-9]*.rpm; do
		[ -e "$file" ] || fail "$file is missing: build it with make package"
	done
done
for script in reload.sh restart.sh stop.sh; do sh -n "$script"; done
if have dpkg-deb; then
	for deb in "$dir"/*.deb; do check_deb "$deb"; done
else
	skip "dpkg-deb is not installed"
fi
if ! have dpkg; then
	skip "dpkg is not installed"
elif [ "$(dpkg --print-architecture)" != "$(dpkg-deb -f "$dir"/limpet_*.deb Architecture)" ]; then
	skip "installing, the packages are for another machine"
else
	install_debs
fi
if have rpm; then
	for rpm in "$dir"/*.rpm; do check_rpm "$rpm"; done
else
	skip "rpm is not installed"
fi
echo "the packages in $1 hold what they should"
