package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestSayError: errors of the standard library are said as limpet says its own.
func TestSayError(t *testing.T) {
	absent := &fs.PathError{Op: "open", Path: "a.yaml", Err: syscall.ENOENT}
	at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}
	taken := &net.OpError{Op: "listen", Net: "tcp", Addr: at, Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}
	refused := &net.OpError{Op: "dial", Net: "tcp", Addr: at, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for want, err := range map[string]error{
		"a.yaml: no such file or directory":                                        absent,
		"--study: a.yaml: no such file or directory":                               fmt.Errorf("--study: %w", absent),
		"d: this is a directory; name a file in this directory":                    fmt.Errorf("d: %w", &fs.PathError{Op: "read", Path: "d", Err: syscall.EISDIR}),
		"127.0.0.1:1: address already in use: choose another":                      fmt.Errorf("%w: choose another", taken),
		"nobody serves there: connection refused":                                  fmt.Errorf("nobody serves there: %w", &url.Error{Op: "Get", URL: "http://x", Err: refused}),
		"a.yaml: no such file or directory\nb: wrong":                              errors.Join(absent, errors.New("b: wrong"), absent),
		"x:1: wrong\n    1 | a: 1\n      | ^\nx:2: wrong\n    1 | a: 1\n      | ^": errors.New("x:1: wrong\n    1 | a: 1\n      | ^\nx:2: wrong\n    1 | a: 1\n      | ^"),
	} {
		if got := withoutEcho(sayError(err, err.Error())); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestStateMayNotBeWritten: the error of a saved state that limpet may not write names the flag for
// another directory, and no other error does.
func TestStateMayNotBeWritten(t *testing.T) {
	for path, want := range map[string]bool{"data.limpet": true, "data.limpet/journal": true, "data/sa01": false} {
		err := explainState("data.limpet", fmt.Errorf("open: %w", &fs.PathError{Op: "mkdir", Path: path, Err: syscall.EACCES}))
		if got := strings.Contains(err.Error(), "name another directory with --state"); got != want || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := explainState("data.limpet", nil); err != nil {
		t.Error(err)
	}
}
