package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	os.Unsetenv("TZ") // what is printed is UTC, wherever tests run
	testscript.Main(removesShared{m}, map[string]func(){
		"limpet": func() {
			limitMemory()
			os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
		"limpet-main": main, // the whole program, with its handlers of signals
	})
}

// TestScripts runs testdata/*.txtar: what a person types, and what comes back.
// Each starts with $EXAMPLES naming the repository's examples.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			e.Values[testKey{}] = t
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"damage": damage,
			"exits":  exits,
			"last":   last,
			"demo":   scriptDemo,
			"site":   serveSite,
		},
	})
}

// testKey keeps the test for commands that start something.
type testKey struct{}

// damage FILE cut N | zero FROM N: cut the file to N bytes, or zero N bytes.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: damage FILE cut N | zero FROM N")
	}
	name := ts.MkAbs(args[0])
	data, err := os.ReadFile(name)
	ts.Check(err)
	switch args[1] {
	case "cut":
		data = data[:number(ts, args[2])]
	case "zero":
		from := number(ts, args[2])
		clear(data[from : from+number(ts, args[3])])
	}
	ts.Check(os.WriteFile(name, data, 0o644))
}

// exits N COMMAND: the command has the exit code N. For a mistake on the command line it is 2.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N COMMAND [ARGUMENT...]")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		failed, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Check(err)
		}
		code = failed.ExitCode()
	}
	if want := number(ts, args[0]); code != want {
		ts.Fatalf("the exit code is %d, want %d", code, want)
	}
}

// last sets the variable LAST to the last file, by name, that a pattern matches.
func last(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: last PATTERN")
	}
	names, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(names) == 0 {
		ts.Fatalf("no file matches %s", args[0])
	}
	ts.Setenv("LAST", filepath.Join(filepath.Dir(args[0]), filepath.Base(names[len(names)-1])))
}

func number(ts *testscript.TestScript, s string) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			ts.Fatalf("%q is no number", s)
		}
		n = 10*n + int(c-'0')
	}
	return n
}
