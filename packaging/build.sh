#!/usr/bin/env bash
# build.sh DIR builds .deb and .rpm of limpet and of limpet-record into DIR, for
# the machine that GOARCH names. The same commit gives the same bytes.
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")/.."
go=${GO:-go}
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.1

# 0.3.0 is a tag, 0.3.0+5.g1a2b3c4 is five commits later and sorts after it. A
# tree without a tag, or without git, is 0.0.0.
version() {
	local tag
	if tag=$(git describe --tags --match 'v[0-9]*' --dirty 2>/dev/null); then
		sed -E 's/^v//; s/-([0-9]+)-g/+\1.g/; s/\+(.*)-dirty$/+\1.dirty/; s/-dirty$/+dirty/' <<<"$tag"
	elif tag=$(git describe --always --dirty 2>/dev/null); then
		echo "0.0.0+$(git rev-list --count HEAD).g${tag/-dirty/.dirty}"
	else
		echo 0.0.0
	fi
}

VERSION=$(version)
ARCH=$($go env GOARCH)
STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y LICENSE)
export VERSION ARCH STAGE SOURCE_DATE_EPOCH

for program in limpet limpet-record; do
	GOOS=linux CGO_ENABLED=0 $go build -trimpath -ldflags '-s -w' -o "$STAGE/$program" "./cmd/$program"
done
mkdir -p "$out"
rm -f "$out"/*.deb "$out"/*.rpm
for config in packaging/nfpm.yaml packaging/nfpm-record.yaml; do
	for format in deb rpm; do
		# nfpm runs here, whatever machine the packages are for.
		GOOS='' GOARCH='' $go run "$nfpm" package --config "$config" --packager "$format" --target "$out"
	done
done
