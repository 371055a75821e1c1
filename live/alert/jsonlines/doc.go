// Package jsonlines tells alerts to a log: a line a notification.
//
// A file gets JSON, is synced before a notification counts as told, and is opened
// again where it was rotated away. A stream gets JSON, too, or sentences with the
// priority that journald reads from a prefix: <2> for what fires, <5> for what is
// over.
package jsonlines
