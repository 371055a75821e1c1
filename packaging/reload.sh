#!/bin/sh
# After the service has come, changed or gone: systemd learns of it. Nothing is
# started, enabled or restarted; what was recorded stays.
set -e
if [ -d "${DPKG_ROOT:-}/run/systemd/system" ]; then
	systemctl daemon-reload || true
fi
