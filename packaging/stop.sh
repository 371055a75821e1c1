#!/bin/sh
# Before the service goes for good it is stopped. dpkg says remove, rpm says how
# many versions will be left. Another package that takes over (dpkg: in-favour)
# brings the same service, which goes on.
set -e
case "$1 ${2:-}" in
"remove in-favour") ;;
"remove "* | "0 "*)
	if [ -d "${DPKG_ROOT:-}/run/systemd/system" ]; then
		systemctl disable --now limpet-record.service || true
	fi
	;;
esac
