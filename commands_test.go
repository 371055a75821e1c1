package limpet

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// goTest matches a command that tests packages, in a document or in the Makefile.
	goTest = regexp.MustCompile("(?:go|\\$\\(GO\\)) (?:test|vet|run)[^`\n]*")
	// packagePath matches the path of a package in a command: ./raid, ./ingest/....
	packagePath = regexp.MustCompile(`(?:^|\s)\./([a-z][\w/-]*)`)
	// fuzzTarget matches an item of the list of fuzzers in the Makefile.
	fuzzTarget = regexp.MustCompile(`\./([\w/-]+):(Fuzz\w+)`)
	// testName matches the names in the pattern after -run.
	testName = regexp.MustCompile(`-run '?\^?\(?((?:Test\w+\|?)+)`)
)

// TestCommandsNameTestsThatExist checks that one of the packages of a go test command in
// the Makefile and in the documents has each test that the command names.
func TestCommandsNameTestsThatExist(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(documents, "Makefile", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range goTest.FindAllString(string(text), -1) {
			command = strings.ReplaceAll(command, `\|`, "|") // a cell of a table
			checkCommand(t, name, command)
		}
		for _, target := range fuzzTarget.FindAllStringSubmatch(string(text), -1) {
			if !declaresTest([]string{target[1]}, target[2]) {
				t.Errorf("%s: %s has no %s", name, target[1], target[2])
			}
		}
	}
}

// checkCommand checks the tests that one command names.
func checkCommand(t *testing.T, name, command string) {
	t.Helper()
	var dirs []string
	for _, path := range packagePath.FindAllStringSubmatch(command, -1) {
		dirs = append(dirs, path[1])
	}
	tests := testName.FindStringSubmatch(command)
	if tests == nil || len(dirs) == 0 {
		return
	}
	for _, test := range strings.Split(tests[1], "|") {
		if test != "" && !declaresTest(dirs, test) {
			t.Errorf("%s: %q names %s, which none of its packages has", name, command, test)
		}
	}
}

// declaresTest returns whether one of the directories has a test whose name begins as
// given.
func declaresTest(dirs []string, test string) bool {
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err == nil && strings.Contains(string(text), "\nfunc "+test) {
				return true
			}
		}
	}
	return false
}
