#!/usr/bin/env bash
# Builds the console afresh, apart from the tree, and holds what is committed against
# it. Where npm is absent or cannot install, it says so and passes: the Go side needs
# only what is committed.
set -euo pipefail
cd "$(dirname "$0")"
skip() { echo "console-check skipped: $1"; exit 0; }
command -v npm >/dev/null 2>&1 || skip "npm is absent"
major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null) || skip "node is absent"
[ "$major" -ge 20 ] || skip "node $major is older than 20"

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
cp -r web "$fresh/web"
rm -rf "$fresh/web/node_modules"
cd "$fresh/web"
# npm ci would refuse a lock without the packages of other platforms; install takes
# exactly what the lock has, too.
if ! npm install --no-save --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --loglevel=error >/dev/null 2>"$fresh/npm.log"; then
	skip "npm cannot install: $(head -n 1 "$fresh/npm.log")"
fi
npm run --silent build -- --logLevel warn >"$fresh/build.log" 2>&1 || { cat "$fresh/build.log"; exit 1; }
if ! diff -r "$fresh/dist" "$OLDPWD/dist"; then
	echo "console/dist is not what console/web builds: run make console, and commit both" >&2
	exit 1
fi
npm run --silent lint >"$fresh/lint.log" 2>&1 || { cat "$fresh/lint.log"; exit 1; }
npm run --silent check >"$fresh/lint.log" 2>&1 || { cat "$fresh/lint.log"; exit 1; }
echo "console/dist is what console/web builds; its sources are clean"
