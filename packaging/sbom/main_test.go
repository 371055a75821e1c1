package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBill: the bill of the recorder names what it links, and only that.
func TestBill(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	program := filepath.Join(t.TempDir(), "limpet-record")
	build := exec.Command(tool, "build", "-trimpath", "-buildvcs=false", "-o", program, "../../cmd/limpet-record")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var first, again bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &again} {
		if err := run([]string{"limpet-record", "0.3.0", program}, "1700000000", out); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != again.String() {
		t.Error("two bills of one program differ")
	}
	var b bill
	if err := json.Unmarshal(first.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range b.Components {
		names = append(names, c.Name)
		if c.Version == "" || c.Name != "stdlib" && (len(c.Properties) == 0 || !strings.HasPrefix(c.Properties[0].Value, "h1:")) {
			t.Errorf("%s has no version or checksum: %+v", c.Name, c)
		}
	}
	if !slices.Contains(names, "stdlib") || !slices.Contains(names, "golang.org/x/sys") || slices.Contains(names, "github.com/spf13/cobra") {
		t.Errorf("it names %q", names)
	}
	if b.Metadata.Timestamp != "2023-11-14T22:13:20Z" || b.Metadata.Component.Version != "0.3.0" {
		t.Errorf("%+v", b.Metadata)
	}
}

func TestRefused(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}, {"a", "b", "main.go"}} {
		if err := run(args, "", &bytes.Buffer{}); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
