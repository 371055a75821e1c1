//go:build !linux

package inetdiag

// dial fails: inet_diag is Linux's.
func dial() (conn, error) { return nil, ErrUnsupported }
