// Package listener has network listeners that survive temporary errors, and that limit the number
// of open connections.
//
// A server must not end because the system has no free descriptors for a moment: any local user can
// cause this. Accept tries again, first after 5 ms and in the end once a second. It reports the
// error at most once a minute.
package listener
