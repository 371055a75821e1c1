//go:build linux

package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// told is a reader that does something before each read.
type told struct {
	io.Reader
	before func()
}

func (r told) Read(p []byte) (int, error) {
	r.before()
	return r.Reader.Read(p)
}

// TestRaidWriteInterrupted interrupts a write whose input is silent, and one
// whose input ends with the interrupt. Both say so.
func TestRaidWriteInterrupted(t *testing.T) {
	silent, _ := io.Pipe()
	for name, input := range map[string]io.Reader{"silent": silent, "ended": strings.NewReader("half of it")} {
		_, members := newMembers(t)
		ctx, interrupt := context.WithCancel(t.Context())
		ended := make(chan int, 1)
		var out bytes.Buffer
		go func() {
			ended <- run(ctx, append([]string{"raid", "write"}, members...), told{input, interrupt}, &out, &out)
		}()
		select {
		case code := <-ended:
			if code != 1 || !strings.Contains(out.String(), "after 0 bytes: interrupted") {
				t.Errorf("%s: exits with %d and says %s", name, code, out.String())
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("%s: it goes on", name)
		}
		if held := said(t, append([]string{"raid", "read"}, members...)...); strings.Trim(held, "\x00") != "" {
			t.Errorf("%s: some of it was written", name)
		}
	}
}
