package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/checkout"
)

var (
	// inlineCommand finds a command between backquotes; writtenCommand finds one at the begin of a line
	// of code, or behind a prompt or a ; of a shell.
	inlineCommand  = regexp.MustCompile("`(limpet [a-z][^`]*)`")
	writtenCommand = regexp.MustCompile(`(?m)^(?:\s{4,}|\$ \(?|)(?:[^\n|]*; )?(limpet [a-z][^\n]*)$`)
	// commandEnd finds what ends a command within a line: the next command, an output, a comment, or
	// the explanation behind three spaces.
	commandEnd = regexp.MustCompile(`\s(?:\||>|&&|;|#)|;|\s{3,}|,? …|, then `)
)

// TestDocsNameCommandsThatExist checks every command of limpet that README and the pages of docs
// show, those that no test runs among them: there is such a command, and it has each flag.
func TestDocsNameCommandsThatExist(t *testing.T) {
	files := []string{checkout.Path(t, "README.md")}
	err := filepath.WalkDir(checkout.Path(t, "docs"), func(name string, d fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".md" && d.Name() != "phrases.md" {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	root, found := newRoot(), 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range commandsIn(string(text)) {
			found++
			checkNamedCommand(t, root, filepath.Base(file), line)
		}
	}
	if found < 150 {
		t.Errorf("only %d commands found", found)
	}
}

// commandsIn returns the commands that a page shows.
func commandsIn(text string) (list []string) {
	for _, m := range inlineCommand.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced || strings.HasPrefix(line, "    ") {
			for _, m := range writtenCommand.FindAllStringSubmatch(strings.TrimRight(line, "\\\n"), -1) {
				list = append(list, m[1])
			}
		}
	}
	return list
}

// checkNamedCommand checks the command and the flags of a line.
func checkNamedCommand(t *testing.T, root *cobra.Command, page, line string) {
	t.Helper()
	if at := commandEnd.FindStringIndex(line); at != nil {
		line = line[:at[0]]
	}
	args := strings.Fields(line)[1:]
	cmd, left, err := root.Find(args)
	if args[0] == "help" {
		return // of a command or a topic: TestEveryCommandHasAPage
	}
	if err != nil || !cmd.HasParent() {
		t.Errorf("%s: there is no command %q", page, line)
		return
	}
	cmd.InitDefaultHelpFlag()
	for _, arg := range left {
		name, isFlag := strings.CutPrefix(strings.Trim(arg, "[](),.:"), "--")
		name, _, _ = strings.Cut(name, "=")
		if isFlag && name != "" && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil {
			t.Errorf("%s: %q: %s has no flag --%s", page, line, cmd.CommandPath(), name)
		}
	}
}
