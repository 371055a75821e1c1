#!/usr/bin/env bash
# build.sh DIR builds .deb and .rpm of limpet and of limpet-record into DIR, for
# amd64 and arm64, or for the machines that ARCHES names; with a bill of materials
# of each program and the checksums of all. The same commit gives the same bytes.
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")/.."
go=${GO:-go}
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.1
arches=${ARCHES:-amd64 arm64}

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
COMMIT=$(git rev-parse HEAD 2>/dev/null || echo unknown)
STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y LICENSE)
export VERSION STAGE SOURCE_DATE_EPOCH

# build ARCH PROGRAM TO
build() {
	local p=github.com/limpet-storage/limpet/internal/version
	GOOS=linux GOARCH=$1 CGO_ENABLED=0 GOFLAGS='' $go build -trimpath -buildvcs=false \
		-ldflags "-s -w -buildid= -X $p.tag=$VERSION -X $p.commit=$COMMIT" -o "$3" "./cmd/$2"
}

# What is the same for all machines: man pages and completions, which a program of
# this machine writes. Debian wants man pages compressed.
build "$($go env GOHOSTARCH)" limpet "$STAGE/here"
"$STAGE/here" manual --dir "$STAGE"
gzip -9n "$STAGE"/man/*
GOFLAGS='' GOBIN=$STAGE $go install "$nfpm" # it runs here, whatever machine packages are for

mkdir -p "$out"
rm -f "$out"/*.deb "$out"/*.rpm "$out"/*.cdx.json "$out"/SHA256SUMS
for ARCH in $arches; do
	export ARCH
	for program in limpet limpet-record; do
		build "$ARCH" "$program" "$STAGE/$program"
		$go run ./packaging/sbom "$program" "$VERSION" "$STAGE/$program" >"$STAGE/$program.cdx.json"
		cp "$STAGE/$program.cdx.json" "$out/${program}_${VERSION}_$ARCH.cdx.json"
	done
	for config in packaging/nfpm.yaml packaging/nfpm-record.yaml; do
		for format in deb rpm; do
			"$STAGE/nfpm" package --config "$config" --packager "$format" --target "$out"
		done
	done
done
(cd "$out" && sha256sum -- *.deb *.rpm *.cdx.json >SHA256SUMS)
