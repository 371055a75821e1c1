package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFetch: examples/fetch.sh fetches from all servers but the one that is down, and
// names that; a file that grew stays the same file, one that was compressed takes the
// place of its plain form. The remote shell is a directory for each server.
func TestFetch(t *testing.T) {
	if _, err := exec.LookPath("rsync"); err != nil {
		t.Skip("rsync is not installed")
	}
	script, err := filepath.Abs("../../examples/fetch.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("rsh", "#!/bin/sh\nhost=$1; shift\ncd "+dir+"/farm/$host 2> /dev/null || exit 255\nexec \"$@\"\n")
	list := "# ours\ndown\n"
	for i := range 20 {
		list += fmt.Sprintf("fs%d\n", i)
		write(fmt.Sprintf("farm/fs%d/log/a.sa", i), "one")
		write(fmt.Sprintf("farm/fs%d/log/.lock", i), "")
	}
	write("servers", list)
	fetch := func(want int) string {
		t.Helper()
		cmd := exec.Command(script, "servers", "log", "data")
		cmd.Env = append(os.Environ(), "RSYNC_RSH="+dir+"/rsh")
		out, _ := cmd.CombinedOutput()
		if files, _ := filepath.Glob("data/*/*"); len(files) != want {
			t.Fatalf("%d files, want %d\n%s", len(files), want, out)
		}
		return string(out)
	}
	if out := fetch(20); !strings.Contains(out, "not all of down was fetched") {
		t.Errorf("a server that is down is not named:\n%s", out)
	}
	before, _ := os.Stat("data/fs3/a.sa")
	write("farm/fs3/log/a.sa", "one and two")
	if err := os.Rename("farm/fs4/log/a.sa", "farm/fs4/log/a.sa.zst"); err != nil {
		t.Fatal(err)
	}
	fetch(20)
	after, _ := os.Stat("data/fs3/a.sa")
	text, _ := os.ReadFile("data/fs3/a.sa")
	if !os.SameFile(before, after) || string(text) != "one and two" {
		t.Errorf("a file that grew is another, or holds %q", text)
	}
	if _, err := os.Stat("data/fs4/a.sa.zst"); err != nil {
		t.Error(err)
	}
}
