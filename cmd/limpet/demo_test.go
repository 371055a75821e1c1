package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// demonstration makes the files of limpet demo, once for all tests of this process: most tests only
// need the files, and simulating them takes longer than diagnosing them.
var demonstration = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "limpet-demo")
	if err != nil {
		return "", err
	}
	demonstrationDir = dir
	if got := tellOf("demo", "--dir", filepath.Join(dir, "d")); got.code != 0 {
		return dir, fmt.Errorf("limpet demo: %s", got.err)
	}
	return dir, nil
})

// demonstrationDir is what demonstration made; empty: no test needed it.
var demonstrationDir string

// removesDemo runs the tests, and removes what demonstration made.
type removesDemo struct{ *testing.M }

func (m removesDemo) Run() int {
	code := m.M.Run()
	if demonstrationDir != "" {
		os.RemoveAll(demonstrationDir)
	}
	return code
}

// copyDemo writes the files of limpet demo to a new directory.
func copyDemo(dir string) error {
	made, err := demonstration()
	if err != nil {
		return err
	}
	return os.CopyFS(dir, os.DirFS(filepath.Join(made, "d")))
}

// demo writes the files of limpet demo to a new directory.
func demo(t *testing.T, dir string) {
	t.Helper()
	if err := copyDemo(dir); err != nil {
		t.Fatal(err)
	}
}

// scriptDemo DIR: write the files of limpet demo to the new directory.
func scriptDemo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: demo DIR")
	}
	ts.Check(copyDemo(ts.MkAbs(args[0])))
}
