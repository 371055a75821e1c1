// Package listener has listeners that outlive errors which pass, and that hold
// no more connections than they may.
//
// A server must not end because descriptors ran out for a moment, which any
// local user can bring about. Accepting is tried again, ever less often up to
// once a second; what is said of it is said once a minute at most.
package listener
