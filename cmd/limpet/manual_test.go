package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/cmd/manual"
)

// pages are those of all commands, by name.
func pages() map[string]string {
	byName := map[string]string{}
	for _, p := range manual.Pages(newRoot(), manual.Edition{Version: "0.3.0", Date: time.Unix(0, 0)}) {
		byName[p.Name] = p.Content
	}
	return byName
}

// TestEveryCommandHasAPage, with every flag and example.
func TestEveryCommandHasAPage(t *testing.T) {
	all := pages()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			if !c.Hidden && c.Runnable() && c.Name() != "help" {
				walk(c)
			}
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		content, ok := all[name]
		if !ok {
			t.Errorf("there is no page %s", name)
		}
		if !strings.Contains(content, `"limpet 0.3.0"`) || !strings.Contains(content, "1970\\-01\\-01") && !strings.Contains(content, "1970-01-01") {
			t.Errorf("%s does not say its version and date", name)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(content, `\fB\-\-`+strings.ReplaceAll(f.Name, "-", `\-`)+`\fR`) {
				t.Errorf("%s does not tell of --%s", name, f.Name)
			}
		})
		if cmd.Example != "" && !strings.Contains(content, ".SH EXAMPLES") {
			t.Errorf("%s has no examples", name)
		}
	}
	walk(newRoot())
	for _, topic := range manual.Topics() {
		if got := tellOf("help", topic.Name); got.code != 0 || !strings.Contains(got.out, topic.Plain()) {
			t.Errorf("limpet help %s: exit %d, %s", topic.Name, got.code, got.out)
		}
	}
}

// TestPagesAreGoodRoff: groff has nothing to say of any.
func TestPagesAreGoodRoff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	for name, content := range pages() {
		cmd := exec.Command(groff, "-man", "-Tutf8", "-Kutf8", "-ww", "-z")
		cmd.Stdin = strings.NewReader(content)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestManualIsWritten: the same source gives the same bytes.
func TestManualIsWritten(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	var contents [2]string
	for i := range contents {
		dir := t.TempDir()
		if got := tellOf("manual", "--dir", dir); got.code != 0 {
			t.Fatal(got.err)
		}
		for _, name := range []string{"man/limpet-diagnose.1", "completions/limpet.bash", "completions/_limpet", "completions/limpet.fish"} {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			contents[i] += string(data)
		}
	}
	if contents[0] != contents[1] || !strings.Contains(contents[0], "2023-11-14") {
		t.Error("two runs differ, or do not take their date from SOURCE_DATE_EPOCH")
	}
}

// TestValuesAreOffered: whatever takes one of some words offers them to shells.
func TestValuesAreOffered(t *testing.T) {
	for line, want := range map[string]string{
		"diagnose --format":       "text\njson\ncsv\n",
		"diagnose --method":       "default\nservers\nl13\nf10\n",
		"diagnose --order":        "combined\n",
		"diagnose --measure":      "cdf\n",
		"diagnose --metric":       "await\n",
		"diagnose --since":        "yesterday\n",
		"diagnose --tz":           "UTC\n",
		"study --group-by":        "server\n",
		"study --kind":            "disk\nssd\n",
		"simulate fleet --format": "parquet\n",
		"diagnose --topology":     "yaml\nyml\n",
		"diagnose --tables":       "ceph\n",
		"help":                    "exit-codes\t",
	} {
		got := tellOf(append(append([]string{"__complete"}, strings.Fields(line)...), "")...)
		if got.code != 0 || !strings.Contains(got.out, want) {
			t.Errorf("limpet %s: %q, want %q in it", line, got.out, want)
		}
	}
	eachFlag(newRoot(), func(path string, f *pflag.Flag) {
		if words := listed(f.Usage); words != nil && valuesOf(f) == nil {
			t.Errorf("%s does not offer %q", path, words)
		}
	})
}

// TestNoEmptyDefault: the help of a flag has no default without a value.
func TestNoEmptyDefault(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if strings.Contains(cmd.LocalFlags().FlagUsages(), "(default )") {
			t.Errorf("%s: a flag has (default )", cmd.CommandPath())
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newRoot())
}

// TestHelpIsWrapped: no line of a description is wider than 88 characters, and no line ends where the
// next word has room.
func TestHelpIsWrapped(t *testing.T) {
	const widest, roomy = 88, 72
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Name() == "completion" {
			return // cobra has its texts
		}
		for _, paragraph := range strings.Split(strings.TrimSpace(cmd.Long), "\n\n") {
			if paragraph == "" || strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") {
				continue // a list or an example
			}
			lines := strings.Split(paragraph, "\n")
			for i, line := range lines {
				if len(line) > widest {
					t.Errorf("%s: %d characters: %s", cmd.CommandPath(), len(line), line)
				}
				if i+1 < len(lines) && len(line)+1+len(strings.Fields(lines[i+1])[0]) <= roomy {
					t.Errorf("%s: %q has room for more", cmd.CommandPath(), line)
				}
			}
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newRoot())
}

// TestVersion: version, commit, Go and platform, in both ways.
func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		got := tellOf(args...)
		for _, want := range []string{"limpet ", "commit ", "go1.", "/"} {
			if !strings.Contains(got.out, want) {
				t.Errorf("%q: no %q in %q", args, want, got.out)
			}
		}
	}
}

// TestPapersAreNamed: no help speaks of T16 without saying what that is.
func TestPapersAreNamed(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			walk(c)
		}
		if cmd.Hidden {
			return
		}
		args := slices.Concat(strings.Fields(cmd.CommandPath())[1:], []string{"--help"})
		help := tellOf(args...).out
		for short, title := range map[string]string{"T16": "The Tail at Store", "L13": "Making Problem Diagnosis Work", "F10": "Black-Box Problem Diagnosis"} {
			if strings.Contains(help, short) && !strings.Contains(help, title) {
				t.Errorf("limpet %s speaks of %s and does not say what it is", strings.Join(args, " "), short)
			}
		}
		if strings.Contains(help, "COMMAND ") {
			t.Errorf("limpet %s has a placeholder", strings.Join(args, " "))
		}
	}
	walk(newRoot())
}
