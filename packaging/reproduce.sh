#!/usr/bin/env bash
# reproduce.sh DIR builds the packages of the last commit twice, in two checkouts at
# two paths, the second with an empty cache of the compiler, and compares them byte
# by byte. The second are left in DIR.
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for name in first second/deeper; do
	git clone --quiet --no-hardlinks . "$scratch/$name"
done
"$scratch/first/packaging/build.sh" "$scratch/one"
GOCACHE="$scratch/cache" "$scratch/second/deeper/packaging/build.sh" "$out"
diff "$scratch/one/SHA256SUMS" "$out/SHA256SUMS" || {
	echo "reproduce: two builds of one commit differ" >&2
	exit 1
}
echo "two builds are the same: $(wc -l <"$out/SHA256SUMS") files"
