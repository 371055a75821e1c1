#!/usr/bin/env bash
# Builds the console and the charts of static pages afresh, apart from the tree, and
# holds what is committed against them. Where npm is absent or cannot install, it says so and passes: the Go side needs
# only what is committed.
set -euo pipefail
cd "$(dirname "$0")"
skip() { echo "console-check skipped: $1"; exit 0; }
command -v npm >/dev/null 2>&1 || skip "npm is absent"
major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null) || skip "node is absent"
[ "$major" -ge 20 ] || skip "node $major is older than 20"

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
mkdir -p "$fresh/server/console"
cp -r web "$fresh/server/console/web"
rm -rf "$fresh/server/console/web/node_modules"
here=$PWD
cd "$fresh/server/console/web"
# npm ci would refuse a lock without the packages of other platforms; install takes
# exactly what the lock has, too.
if ! npm install --no-save --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --loglevel=error >/dev/null 2>"$fresh/npm.log"; then
	skip "npm cannot install: $(head -n 1 "$fresh/npm.log")"
fi
npm run --silent build -- --logLevel warn >"$fresh/build.log" 2>&1 || { cat "$fresh/build.log"; exit 1; }
if ! diff -r "$fresh/server/console/dist" "$here/dist" ||
	! diff "$fresh/report/page/assets/charts.js" "$here/../../report/page/assets/charts.js" ||
	! diff "$fresh/report/page/assets/charts.css" "$here/../../report/page/assets/charts.css" ||
	! diff node_modules/uplot/LICENSE "$here/../../report/page/assets/uPlot.LICENSE"; then
	echo "server/console/dist or report/page/assets is not what server/console/web builds: run make console, and commit both" >&2
	exit 1
fi
npm run --silent lint >"$fresh/lint.log" 2>&1 || { cat "$fresh/lint.log"; exit 1; }
npm run --silent check >"$fresh/lint.log" 2>&1 || { cat "$fresh/lint.log"; exit 1; }
echo "server/console/dist and report/page/assets are what server/console/web builds; its sources are clean"
