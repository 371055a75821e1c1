#!/bin/sh
# After the service has come or changed: systemd learns of it, and where it runs
# the new version takes over. Nothing is started that was not running, nothing
# is enabled. The new one goes on in the file of the day; what it missed, some
# seconds, stands there as a comment.
#
# It is not waited for: it is ready with its first sample, which may be an hour
# away, and a package manager has other things to do.
set -e
if [ -d "${DPKG_ROOT:-}/run/systemd/system" ]; then
	systemctl daemon-reload || true
	systemctl --no-block try-restart limpet-record.service || true
fi
