#!/usr/bin/env bash
# vulnerabilities.sh BIN looks for known weaknesses of the modules and of the standard
# library that limpet's programs call, with govulncheck, which is installed in BIN. It
# needs a database of weaknesses: that of GOVULNDB, else https://vuln.go.dev. Without
# govulncheck or a database it is skipped by name, with exit code 0.
set -euo pipefail
bin=$(realpath -m "$1")
cd "$(dirname "$0")/.."
version=v1.1.4
go=${GO:-go}
db=${GOVULNDB:-https://vuln.go.dev}

if [ ! -x "$bin/govulncheck" ]; then
	GOBIN="$bin" GOFLAGS=-mod=mod $go install "golang.org/x/vuln/cmd/govulncheck@$version" 2>"$bin/govulncheck.log" || {
		echo "skipped: govulncheck $version cannot be installed ($(tail -1 "$bin/govulncheck.log"))"
		exit 0
	}
fi
code=0
"$bin/govulncheck" -db "$db" ./cmd/... >"$bin/govulncheck.log" 2>&1 || code=$?
case $code in
0) cat "$bin/govulncheck.log" ;;
3) # govulncheck exits with 3 where programs call something weak
	cat "$bin/govulncheck.log"
	exit 1
	;;
*)
	if grep -q -i -e 'fetching' -e 'dial' -e 'lookup' -e 'no such host' -e 'database' -e 'unexpected status' -e 'HTTP' "$bin/govulncheck.log"; then
		echo "skipped: the database of weaknesses $db cannot be read ($(tail -1 "$bin/govulncheck.log"))"
		exit 0
	fi
	cat "$bin/govulncheck.log"
	exit $code
	;;
esac
