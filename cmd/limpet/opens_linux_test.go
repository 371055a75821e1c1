package main

import (
	"bytes"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// watchOpens notes which files of a directory are opened from now on.
func watchOpens(t *testing.T, dir string) (opened func() map[string]bool) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip("inotify cannot be had: ", err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	return func() map[string]bool {
		names := map[string]bool{}
		buf := make([]byte, 1<<20)
		n, err := unix.Read(fd, buf)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < n; {
			event := (*unix.InotifyEvent)(unsafe.Pointer(&buf[at]))
			at += unix.SizeofInotifyEvent
			name := string(bytes.TrimRight(buf[at:at+int(event.Len)], "\x00"))
			at += int(event.Len)
			if event.Mask&unix.IN_ISDIR == 0 && name != "" {
				names[name] = true
			}
		}
		return names
	}
}
