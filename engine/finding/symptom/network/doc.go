// Package network judges the interfaces of servers: traffic is a symptom where
// no drive took or gave it and no client exchanged it, and where it comes in
// frames too full for requests.
//
// It reads the window of package peers and notes signs in it. It remembers
// nothing.
package network
