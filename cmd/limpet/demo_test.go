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
	dir, err := sharedDir("limpet-demo")
	if err != nil {
		return "", err
	}
	if got := tellOf("demo", "--dir", filepath.Join(dir, "d")); got.code != 0 {
		return dir, fmt.Errorf("limpet demo: %s", got.err)
	}
	return dir, nil
})

// sharedDirs are the directories that tests of this process share.
var sharedDirs struct {
	sync.Mutex
	dirs []string
}

// sharedDir makes a directory that is removed after the last test.
func sharedDir(name string) (string, error) {
	sharedDirs.Lock()
	defer sharedDirs.Unlock()
	dir, err := os.MkdirTemp("", name)
	if err == nil {
		sharedDirs.dirs = append(sharedDirs.dirs, dir)
	}
	return dir, err
}

// removesShared runs the tests, and removes the directories that they shared.
type removesShared struct{ *testing.M }

func (m removesShared) Run() int {
	code := m.M.Run()
	for _, dir := range sharedDirs.dirs {
		os.RemoveAll(dir)
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
