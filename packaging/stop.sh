#!/bin/sh
# Before the services go for good they are stopped. dpkg says remove, rpm says how
# many versions will be left. Another package that takes over (dpkg: in-favour)
# brings the same services, which go on.
set -e
case "$1 ${2:-}" in
"remove in-favour") ;;
"remove "* | "0 "*)
	if [ -d "${DPKG_ROOT:-}/run/systemd/system" ]; then
		for service in limpet-record limpet; do
			systemctl disable --now $service.service || true
		done
	fi
	;;
esac
