#!/bin/sh
# After the services have come or changed: systemd learns of them, and where one runs
# the new version takes over. Nothing is started that was not running, nothing is
# enabled. The new recorder goes on in the file of the day; what it missed, some
# seconds, stands there as a comment. The new watch goes on from the state of the old.
#
# They are not waited for: the recorder is ready with its first sample, which may be an
# hour away, and a package manager has other things to do.
set -e
if [ -d "${DPKG_ROOT:-}/run/systemd/system" ]; then
	systemctl daemon-reload || true
	for service in limpet-record limpet; do
		systemctl --no-block try-restart $service.service || true
	done
fi
