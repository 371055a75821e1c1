// Package ownwork finds servers that do light work of their own, through all of their
// attachments, whatever their priority (L13 §5.3.2).
//
// Standby paths with such work look as if they had taken over. LUNs with such work look
// different from all other LUNs. Nothing is wrong: the finding is harmless. Mark sets
// the state of paths with such work to window.Working, and other detectors leave them
// out.
//
// Mark decides: a server works for itself if it uses Options.UsedShare of its standby
// paths for light work while paths before them could serve. Findings needs k of 2k−1
// such windows. There is no statistical test.
//
// All of it is in ownwork.go.
package ownwork
