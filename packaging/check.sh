#!/usr/bin/env bash
# check.sh DIR looks into the packages that build.sh left in DIR, installs those for
# this machine below directories of its own, runs what they installed, and names what
# it skipped for want of a tool.
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

# paths PACKAGE FORMAT: what the package is to hold, but for directories and the
# man pages of commands, which are counted.
paths() {
	echo /usr/bin/limpet-record
	echo /usr/lib/systemd/system/limpet-record.service
	echo /etc/default/limpet-record
	echo "/usr/share/doc/$1/copyright"
	echo "/usr/share/doc/$1/$1.cdx.json"
	if [ "$1" = limpet-record ]; then
		echo /usr/share/doc/limpet-record/record.md
		return
	fi
	echo /usr/bin/limpet
	echo /usr/lib/systemd/system/limpet.service
	echo /etc/limpet/limpet.yaml
	echo /usr/share/bash-completion/completions/limpet
	echo /usr/share/fish/vendor_completions.d/limpet.fish
	echo /usr/share/limpet/grafana/limpet.json
	echo /usr/share/limpet/grafana-provisioning/limpet.yaml
	echo /usr/share/limpet/prometheus/limpet.rules.yml
	case $2 in
	deb) echo /usr/share/zsh/vendor-completions/_limpet ;;
	rpm) echo /usr/share/zsh/site-functions/_limpet ;;
	esac
	(cd .. && find README.md CHANGELOG.md examples -type f -printf '/usr/share/doc/limpet/%p\n')
	(cd ../docs && find . -maxdepth 2 \( -name '*.md' -o -name report.schema.json \) -printf '/usr/share/doc/limpet/docs/%P\n')
}

# settings PACKAGE: the files that an upgrade leaves as people changed them.
settings() {
	echo /etc/default/limpet-record
	if [ "$1" = limpet ]; then echo /etc/limpet/limpet.yaml; fi
}

# same PACKAGE FORMAT WHAT: stdin lists what the package is to hold, and no more.
same() {
	local list pages
	list=$(sort)
	diff <(paths "$1" "$2" | sort) <(grep -v '^/usr/share/man/' <<<"$list") >&2 || fail "$3 holds other files (>) than it should (<)"
	pages=$(grep -c '^/usr/share/man/man[157]/limpet.*\.[157]\.gz$' <<<"$list")
	if [ "$1" = limpet ]; then
		[ "$pages" -ge 30 ] || fail "$3 has only $pages man pages"
		for page in man1/limpet.1 man1/limpet-diagnose.1 man5/limpet-topology.5 man7/limpet-exit-codes.7; do
			grep -qx "/usr/share/man/$page.gz" <<<"$list" || fail "$3 has no man page $page"
		done
	else
		[ "$pages" = 1 ] || fail "$3 has $pages man pages, not one"
	fi
}

# machine FILE: which machine a program is for, by its ELF header.
machine() {
	case $(od -An -tu2 -j18 -N2 "$1" | tr -d ' ') in
	62) echo amd64 ;;
	183) echo arm64 ;;
	*) echo another ;;
	esac
}

# emulator ARCH: what runs programs for that machine here; it fails where nothing does.
emulator() {
	case $1 in
	"$(machine /proc/self/exe)") echo env ;;
	amd64) command -v qemu-x86_64-static ;;
	arm64) command -v qemu-aarch64-static ;;
	*) false ;;
	esac
}

# runs ROOT ARCH: the programs of a root say their version, and man pages can be read.
runs() {
	local program said through
	through=$(emulator "$2") || {
		skip "running programs for $2: qemu-user-static is not installed"
		return 0
	}
	for program in "$1"/usr/bin/*; do
		said=$("$through" "$program" --version)
		grep -Eq "^$(basename "$program") [0-9].* \(commit [0-9a-f]{40}, go1\.[0-9.]+, linux/" <<<"$said" ||
			fail "$program says of itself: $said"
	done
	if have man; then
		MANWIDTH=80 man -l "$1"/usr/share/man/man1/limpet-record.1.gz 2>/dev/null | grep -q 'DESCRIPTION' || fail "$1: the man page cannot be read"
	else
		skip "man is not installed"
	fi
}

check_deb() {
	local deb=$1 name arch
	name=$(dpkg-deb -f "$deb" Package)
	arch=$(dpkg-deb -f "$deb" Architecture)
	dpkg-deb -c "$deb" | awk '$1 !~ /^d/ {print $6}' | sed 's/^\.//' | same "$name" deb "$deb"
	[ "$(dpkg-deb --ctrl-tarfile "$deb" | tar -xO ./conffiles | sort)" = "$(settings "$name")" ] ||
		fail "$deb: its conffiles are not its settings"
	rm -rf "${scratch:?}/$name"
	dpkg-deb -x "$deb" "$scratch/$name"
	[ "$(machine "$scratch/$name/usr/bin/limpet-record")" = "$arch" ] || fail "$deb: its programs are not for $arch"
	cmp "$scratch/$name/usr/lib/systemd/system/limpet-record.service" limpet-record.service
	[ -x "$scratch/$name/usr/bin/limpet-record" ] || fail "$deb: limpet-record cannot be run"
}

# in_root DPKG-ARGUMENTS: dpkg, with its database and all files below a root.
in_root() {
	dpkg --root="$scratch/root" --force-unsafe-io --force-not-root --force-script-chrootless --log="$scratch/dpkg.log" "$@" \
		>"$scratch/dpkg.out" 2>&1 || { cat "$scratch/dpkg.out" >&2; fail "dpkg $*"; }
}

# install_debs: one package takes the other's place, and settings stay.
install_debs() {
	local root=$scratch/root package
	mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/triggers"
	touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
	in_root -i "$dir"/limpet-record_*_"$here".deb
	echo 'OPTIONS="--no-tcp"' >"$root/etc/default/limpet-record"
	for package in limpet limpet-record; do
		in_root --auto-deconfigure --force-confdef -i "$dir/${package}"_*_"$here".deb
		[ "$(dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${db:Status-Status}' "$package")" = installed ] ||
			fail "$package is not installed"
		if [ "$package" = limpet-record ]; then # limpet has gone, and its settings stay until it is purged
			[ -e "$root/etc/limpet/limpet.yaml" ] || fail "the settings of limpet went with it"
			in_root --purge limpet
		fi
		(cd "$root" && find usr etc \( -type f -o -type l \) -printf '/%p\n') | same "$package" deb "the root with $package"
		runs "$root" "$here"
		grep -q -- --no-tcp "$root/etc/default/limpet-record" || fail "$package overwrote the settings"
	done
	in_root -r limpet-record
	[ ! -e "$root/usr/bin/limpet-record" ] || fail "limpet-record was removed and is there"
}

check_rpm() {
	local rpm=$1 name arch
	name=$(rpm -qp --qf '%{NAME}' "$rpm")
	arch=$(rpm -qp --qf '%{ARCH}' "$rpm" | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	rpm -qlp "$rpm" | same "$name" rpm "$rpm"
	[ "$(rpm -qp --configfiles "$rpm" | sort)" = "$(settings "$name")" ] ||
		fail "$rpm: its configuration files are not its settings"
	rpm -qp --conflicts "$rpm" | grep -q '^limpet' || fail "$rpm does not conflict with the other"
	install_rpm "$rpm" "$name" "$arch"
}

# install_rpm RPM NAME ARCH: the package goes into a root of its own and out again.
# There is no shell in the root, so scripts do not run.
install_rpm() {
	local rpm=$1 name=$2 arch=$3 root=$scratch/rpm-$2-$3
	mkdir -p "$root"
	rpm --root "$root" --initdb
	rpm --root "$root" -i --ignorearch --nodeps --noscripts "$rpm" || fail "rpm -i $rpm"
	[ "$(machine "$root/usr/bin/limpet-record")" = "$arch" ] || fail "$rpm: its programs are not for $arch"
	rpm --root "$root" -V --nodeps --noscripts "$name" || fail "rpm -V finds $name changed"
	(cd "$root" && find usr/bin usr/share etc usr/lib/systemd \( -type f -o -type l \) -printf '/%p\n') | same "$name" rpm "the root with $rpm"
	runs "$root" "$arch"
	rpm --root "$root" -e --nodeps --noscripts "$name" || fail "rpm -e $name"
	[ ! -e "$root/usr/bin/limpet-record" ] || fail "$name was removed and is there"
}

(cd "$dir" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS does not fit the files"
for package in limpet limpet-record; do
	for file in "$dir/${package}"_*.deb "$dir/$package"-[0-9]*.rpm "$dir/${package}"_*.cdx.json; do
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
else
	here=$(dpkg --print-architecture)
	if ls "$dir"/limpet_*_"$here".deb >/dev/null 2>&1; then
		install_debs
	else
		skip "installing, the packages are for other machines"
	fi
fi
if ! have rpm; then
	skip "rpm is not installed"
elif [ "$(id -u)" != 0 ]; then
	skip "installing .rpm below a root takes the user root"
else
	for rpm in "$dir"/*.rpm; do check_rpm "$rpm"; done
fi
echo "the packages in $1 hold what they should"
