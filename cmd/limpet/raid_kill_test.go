//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestRaidWriteKilled kills `limpet raid write` at random moments: each stripe
// is as it was or as it was to be, wherever the write began and however long
// its stripes are.
func TestRaidWriteKilled(t *testing.T) {
	const data, size = 5, 4 << 20
	dir := t.TempDir()
	var members []string
	for i := range data + 2 {
		members = append(members, filepath.Join(dir, fmt.Sprint(i)))
	}
	said(t, append([]string{"raid", "create", "--size", fmt.Sprint(size)}, members...)...)
	held := []byte(said(t, append([]string{"raid", "read"}, members...)...))
	rng, cut := rand.New(rand.NewPCG(1, 8)), 0
	for round := range 20 {
		offset := rng.IntN(100_000)
		after := bytes.Clone(held)
		for i := range after[offset:] {
			after[offset+i] = byte(round + 1)
		}
		killWrite(t, members, offset, after[offset:][:rng.IntN(len(after)-offset)], time.Duration(rng.Int64N(int64(20*time.Millisecond))))
		got := []byte(said(t, append([]string{"raid", "read"}, members...)...))
		if mixed := mixedStripe(got, held, after, data*4096); mixed >= 0 {
			t.Fatalf("round %d: stripe %d holds some of the old and some of the new", round, mixed)
		}
		if !bytes.Equal(got, held) {
			cut++
		}
		held = got
	}
	if cut < 5 {
		t.Errorf("only %d writes had begun", cut)
	}
}

// killWrite has a process write, and kills it a while after it was given p. It
// still waits for more.
func killWrite(t *testing.T, members []string, offset int, p []byte, after time.Duration) {
	t.Helper()
	cmd := exec.Command("limpet", append([]string{"raid", "write", "--offset", fmt.Sprint(offset)}, members...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(p); err != nil {
		t.Error(err)
	}
	time.Sleep(after)
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it was not killed")
	}
}

// mixedStripe is the first that is neither as before nor as after.
func mixedStripe(got, before, after []byte, stripe int) int {
	for at := 0; at < len(got); at += stripe {
		of := func(image []byte) []byte { return image[at:min(at+stripe, len(image))] }
		if !bytes.Equal(of(got), of(before)) && !bytes.Equal(of(got), of(after)) {
			return at / stripe
		}
	}
	return -1
}
