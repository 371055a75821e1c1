package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the user that a test runs limpet as if the test itself runs as root, who may
// read every file.
const nobody = 65534

// limpetAsUser runs limpet in a process of a user without privileges.
func limpetAsUser(t *testing.T, args ...string) (stderr string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	if os.Geteuid() == 0 {
		cmd = exec.Command(copyOfTest(t), args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	cmd.Args[0] = "limpet" // TestMain runs the program of this name
	cmd.Dir = t.TempDir()
	var errs strings.Builder
	cmd.Stderr = &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return errs.String(), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return errs.String(), 0
}

// copyOfTest copies this test's program to a directory that every user may read.
func copyOfTest(t *testing.T) string {
	t.Helper()
	from, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	name := filepath.Join(readable(t), "limpet")
	to, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// readable is a new directory that every user may read.
func readable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestUnreadableFilesAreCountedAndFail: a user may read one of eight activity files.
// limpet reports how many it may not read and why, and exits with 1.
func TestUnreadableFilesAreCountedAndFail(t *testing.T) {
	dir := filepath.Join(readable(t), "demo")
	demo(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "activity", "*"))
	if err != nil || len(files) != 8 {
		t.Fatal(files, err)
	}
	if _, code := limpetAsUser(t, "diagnose", files[0]); code != 0 {
		t.Fatal("the user cannot read what all may read; code ", code)
	}
	for _, name := range files[1:] {
		if err := os.Chmod(name, 0); err != nil {
			t.Fatal(err)
		}
	}
	said, code := limpetAsUser(t, "diagnose", filepath.Join(dir, "activity"))
	want := "7 of 8 files cannot be read (" + files[1] + ": permission denied)"
	if code != exitError || !strings.Contains(said, want) || strings.Contains(said, "no activity file") {
		t.Errorf("code %d, %s\nwant %s", code, said, want)
	}
	said, code = limpetAsUser(t, "diagnose", files[1])
	if code != exitError || !strings.Contains(said, files[1]+": permission denied; run limpet as a user") {
		t.Errorf("code %d, %s", code, said)
	}
}

// TestDemoNamesDir: limpet demo in a directory that the user may not write names --dir.
func TestDemoNamesDir(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the user who runs the test may write to its directory")
	}
	errs, code := limpetAsUser(t, "demo")
	if want := "permission denied; limpet demo writes to the directory limpet-demo: name another directory with --dir"; code != 1 || !strings.Contains(errs, want) {
		t.Errorf("code %d, %s", code, errs)
	}
}
