package site

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"
)

var update = flag.Bool("update", false, "write what parsers return as what they should return")

// TestGolden compares what each parser makes of testdata/FORMAT/NAME.txt with
// NAME.want, and what it makes of the same text in the noise of a terminal.
func TestGolden(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			files := fixtures(t, f.Name)
			for _, file := range files {
				golden(t, file, f.Read)
			}
		})
	}
}

func golden(t *testing.T, file string, read func(*Text) Inventory) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := printed(parseWith(filepath.Base(file), data, read))
	wanted := strings.TrimSuffix(file, ".txt") + ".want"
	if *update {
		if err := os.WriteFile(wanted, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(wanted)
	if err != nil || got != string(want) {
		t.Errorf("%s: the parser returns\n%s\nnot\n%s\n%v; go test ./topology/site -run Golden -update writes what it returns: read it then", file, got, want, err)
	}
	notRefused(t, file, data)
	inSession(t, file, data, read)
}

// notRefused checks that other.go does not deny that limpet reads the tool of a fixture.
func notRefused(t *testing.T, file string, data []byte) {
	t.Helper()
	for _, text := range Cut(file, data) {
		for i, line := range text.lines {
			if why := reason(line); strings.HasPrefix(why, "limpet does not read") {
				t.Errorf("%s:%d is a line of a tool that limpet reads, and topology/site/other.go has %q: remove that entry", file, text.numbers[i], why)
			}
		}
	}
}

// TestCommandsAreDescribed: docs/topology.md names a command of each format.
func TestCommandsAreDescribed(t *testing.T) {
	page, err := os.ReadFile(checkout.Path(t, "docs/topology.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(strings.ToLower(string(page)), func(r rune) bool { return strings.ContainsRune(" `,;|()\n", r) })
	for _, f := range Formats() {
		if f.Commands != nil && !slices.ContainsFunc(f.Commands, func(c string) bool { return slices.Contains(words, c) }) {
			t.Errorf("docs/topology.md names none of the commands %q: add one to the table", f.Commands)
		}
	}
}

// inSession puts the fixture between the lines that a terminal adds. The parser must
// find as many devices and volumes as without them.
func inSession(t *testing.T, file string, data []byte, read func(*Text) Inventory) {
	t.Helper()
	around := "Last login: Mon Mar  2 09:12:44 from 10.0.0.9\n[root@fs1 ~]# date\nMon Mar  2 09:12:50 UTC 2026\n[root@fs1 ~]# run\n" +
		strings.ReplaceAll(string(data), "\n", "\r\n") + "\n[root@fs1 ~]# exit\nlogout\n"
	alone, within := parseWith("fs1.txt", data, read), parseWith("fs1.txt", []byte(around), read)
	if a, b := len(alone.Devices)+len(alone.Volumes), len(within.Devices)+len(within.Volumes); a != b {
		t.Errorf("%s: %d devices and volumes, and %d within a session", file, a, b)
	}
}

// FuzzParsers looks for texts that a parser fails on: it must end, return the same
// twice, and place everything within the file. The first argument chooses the parser.
func FuzzParsers(f *testing.F) {
	formats := Formats()
	for i, format := range formats {
		for _, file := range fixtures(f, format.Name) {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(byte(i), data)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		read := formats[int(which)%len(formats)].Read
		first, second := parseWith("f", data, read), parseWith("f", data, read)
		if printed(first) != printed(second) {
			t.Error("two readings differ")
		}
		lines := 1 + strings.Count(string(data), "\n")
		for _, d := range first.Devices {
			if d.Line > lines || strings.HasPrefix(d.Name, "/dev/") {
				t.Errorf("%+v of %d lines", d, lines)
			}
		}
		for _, v := range first.Volumes {
			if v.Line > lines || v.Name == "" || v.System == "" {
				t.Errorf("%+v of %d lines", v, lines)
			}
		}
	})
}

// TestNames: a device of an activity file has the name that sar prints, as everywhere.
func TestNames(t *testing.T) {
	inv, err := File(checkout.Path(t, "record/sysstat/testdata/sa-disk"))
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.Devices) != 1 || inv.Devices[0].Name != "vda" || inv.Devices[0].Number != "254:0" {
		t.Errorf("%+v, want vda", inv.Devices)
	}
}

// fixtures lists the texts of one format.
func fixtures(t testing.TB, format string) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join("testdata", format, "*.txt"))
	if len(files) == 0 {
		t.Fatalf("testdata/%s has no fixtures", format)
	}
	return files
}

// parseWith reads a file with one parser, as ReadText does with all.
func parseWith(file string, data []byte, read func(*Text) Inventory) Inventory {
	var inv Inventory
	for _, text := range Cut(file, data) {
		if text.Host == "" {
			text.Host = "fs1"
		}
		inv.Add(read(text))
	}
	return inv
}

// printed writes one line for each device, volume and note, without empty fields.
func printed(inv Inventory) string {
	var b strings.Builder
	for i := range inv.Devices {
		fmt.Fprintf(&b, "device%s\n", fieldsOf(inv.Devices[i]))
	}
	for i := range inv.Volumes {
		fmt.Fprintf(&b, "volume%s\n", fieldsOf(inv.Volumes[i]))
	}
	for _, n := range inv.Notes {
		fmt.Fprintf(&b, "note %s\n", n)
	}
	return b.String()
}

func fieldsOf(v any) string {
	var b strings.Builder
	value := reflect.ValueOf(v)
	for i := range value.NumField() {
		if f := value.Field(i); !f.IsZero() {
			fmt.Fprintf(&b, " %s=%v", value.Type().Field(i).Name, f.Interface())
		}
	}
	return b.String()
}
