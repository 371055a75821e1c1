#!/bin/sh
# After the service has gone: systemd learns of it. What was recorded stays.
set -e
if [ -d "${DPKG_ROOT:-}/run/systemd/system" ]; then
	systemctl daemon-reload || true
fi
