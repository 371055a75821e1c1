package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs runs the `$ limpet …` lines in the fenced blocks of README and docs,
// in order, and compares what they print with what stands below them. A line
// `…` stands for any number of lines.
func TestDocs(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.Symlink(filepath.Join(root, "examples"), filepath.Join(dir, "examples")); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			for _, c := range docCommands(string(text)) {
				ran++
				var out bytes.Buffer
				if code := run(context.Background(), strings.Fields(c.line)[1:], strings.NewReader(""), &out, io.Discard); code != 0 {
					t.Errorf("%s: exit %d", c.line, code)
				}
				if !matches(c.want, lines(out.String())) {
					t.Errorf("%s printed\n%s\nwhich is not what %s says", c.line, out.String(), filepath.Base(page))
				}
			}
		})
	}
	if ran < 4 {
		t.Errorf("only %d commands found in the documentation", ran)
	}
}

type docCommand struct {
	line string
	want []string
}

// docCommands finds the commands in fenced blocks, with the lines below each.
func docCommands(text string) []docCommand {
	var commands []docCommand
	fenced, open := false, false
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced, open = !fenced, false
		case fenced && strings.HasPrefix(line, "$ limpet "):
			commands = append(commands, docCommand{line: strings.TrimPrefix(line, "$ ")})
			open = true
		case fenced && open:
			last := &commands[len(commands)-1]
			last.want = append(last.want, line)
		}
	}
	return commands
}

func lines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

// matches compares lines; "…" in want stands for any number of them.
func matches(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0 || len(got) == 1 && got[0] == ""
	}
	if want[0] == "…" {
		for i := range len(got) + 1 {
			if matches(want[1:], got[i:]) {
				return true
			}
		}
		return len(want) == 1
	}
	return len(got) > 0 && strings.TrimRight(want[0], " ") == strings.TrimRight(got[0], " ") && matches(want[1:], got[1:])
}
