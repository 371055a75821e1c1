// Package ownwork finds servers that do light work of their own, through all of
// their attachments whatever their priority (L13 §5.3.2).
//
// Their standby paths then look as if they had taken over, and the LUNs that
// they work on, which others reach through their first path, look different
// from all others. Nothing is wrong: the finding says so, and other detectors
// are told which paths carry such work.
package ownwork
