package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs runs the `$ limpet …` lines in the fenced blocks of README and docs,
// in order, and compares what they print with what stands below them. A line
// `…` stands for any number of lines, `…` within a line for any text.
//
// In blocks of ```console every line that begins with `$ ` is run, by bash. Those of
// ```console root take minutes and root, and are run where LIMPET_TEST_ROOT is set
// (make tutorial).
func TestDocs(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	sites, _ := filepath.Glob(filepath.Join(root, "docs", "sites", "*.md"))
	pages = append(pages, sites...)
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
				if c.root && os.Getenv("LIMPET_TEST_ROOT") == "" {
					continue
				}
				ran++
				out, err := c.run(t.Context())
				if err != nil {
					t.Errorf("%s: %v", c.line, err)
				}
				if !matches(c.want, lines(out)) {
					t.Errorf("%s printed\n%s\nwhich is not what %s says", c.line, out, filepath.Base(page))
				}
			}
		})
	}
	if ran < 4 {
		t.Errorf("only %d commands found in the documentation", ran)
	}
}

type docCommand struct {
	line  string
	want  []string
	shell bool // not limpet alone
	root  bool
}

// run returns what a command prints.
func (c *docCommand) run(ctx context.Context) (string, error) {
	if c.shell {
		out, err := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", c.line).Output()
		return string(out), err
	}
	var out bytes.Buffer
	if code := run(ctx, strings.Fields(c.line)[1:], strings.NewReader(""), &out, io.Discard); code != 0 {
		return out.String(), fmt.Errorf("exit %d", code)
	}
	return out.String(), nil
}

// docCommands finds the commands in fenced blocks, with the lines below each.
func docCommands(text string) []docCommand {
	var commands []docCommand
	fenced, open := false, false
	var block docCommand
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced, open = !fenced, false
			block = docCommand{shell: strings.HasPrefix(line, "```console"), root: line == "```console root"}
		case fenced && (strings.HasPrefix(line, "$ limpet ") || block.shell && strings.HasPrefix(line, "$ ")):
			block.line = strings.TrimPrefix(line, "$ ")
			commands = append(commands, block)
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
	return len(got) > 0 && likeLine(strings.TrimRight(want[0], " "), strings.TrimRight(got[0], " ")) && matches(want[1:], got[1:])
}

// likeLine compares a line; "…" in want stands for any text, once.
func likeLine(want, got string) bool {
	begin, end, some := strings.Cut(want, "…")
	if !some {
		return want == got
	}
	rest, ok := strings.CutPrefix(got, begin)
	return ok && strings.HasSuffix(rest, end)
}
