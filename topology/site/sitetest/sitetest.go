package sitetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/topology/site"
)

var update = flag.Bool("update", false, "write what parsers say as what they should say")

// A Parser is the function Read of a package below site.
type Parser func(*site.Text) site.Inventory

// Golden holds a parser against testdata: what it makes of NAME.txt stands in
// NAME.want. Between two files of one package, and within the noise of a
// terminal, it must make the same of it.
func Golden(t *testing.T, read Parser) {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) == 0 {
		t.Fatal("testdata has no fixtures")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		got := Print(parse(name, data, read))
		wanted := strings.TrimSuffix(file, ".txt") + ".want"
		if *update {
			if err := os.WriteFile(wanted, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(wanted)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s says\n%s\nnot\n%s", file, got, want)
		}
		noisy(t, file, data, read)
	}
}

// noisy puts the fixture between what terminals add: the sightings must be the
// same, lines apart.
func noisy(t *testing.T, file string, data []byte, read Parser) {
	t.Helper()
	around := "Last login: Mon Mar  2 09:12:44 from 10.0.0.9\n[root@fs1 ~]# date\nMon Mar  2 09:12:50 UTC 2026\n[root@fs1 ~]# run\n" +
		strings.ReplaceAll(string(data), "\n", "\r\n") + "\n[root@fs1 ~]# exit\nlogout\n"
	plain, within := parse("fs1.txt", data, read), parse("fs1.txt", []byte(around), read)
	if a, b := len(plain.Devices)+len(plain.Volumes), len(within.Devices)+len(within.Volumes); a != b {
		t.Errorf("%s: %d sightings, and %d within a session", file, a, b)
	}
}

// parse reads a file with one parser, as package formats does with all.
func parse(file string, data []byte, read Parser) site.Inventory {
	var inv site.Inventory
	for _, text := range site.Cut(file, data) {
		if text.Host == "" {
			text.Host = "fs1"
		}
		inv.Add(read(text))
	}
	return inv
}

// Print writes sightings one a line, without what is empty.
func Print(inv site.Inventory) string {
	var b strings.Builder
	for i := range inv.Devices {
		fmt.Fprintf(&b, "device%s\n", fields(inv.Devices[i]))
	}
	for i := range inv.Volumes {
		fmt.Fprintf(&b, "volume%s\n", fields(inv.Volumes[i]))
	}
	for _, n := range inv.Notes {
		fmt.Fprintf(&b, "note %s\n", n)
	}
	return b.String()
}

func fields(v any) string {
	var b strings.Builder
	value := reflect.ValueOf(v)
	for i := range value.NumField() {
		if f := value.Field(i); !f.IsZero() {
			fmt.Fprintf(&b, " %s=%v", value.Type().Field(i).Name, f.Interface())
		}
	}
	return b.String()
}

// Fuzz looks for inputs that a parser breaks on: it must end, say the same
// twice, and place every sighting within the file.
func Fuzz(f *testing.F, read Parser) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, second := parse("f", data, read), parse("f", data, read)
		if Print(first) != Print(second) {
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
