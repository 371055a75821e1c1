// Package listener has network listeners that outlive passing errors, and that hold no
// more connections than they may.
//
// A server must not end because descriptors ran out for a moment, which any local user
// can cause. Accept tries again, less and less often down to once a second, and reports it
// once a minute at most.
package listener
