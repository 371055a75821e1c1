package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"limpet-record": main})
}

// TestScripts runs testdata/*.txtar: what a person types, and what comes back.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata"})
}

// linked is all that may go into the binary beside the standard library.
// Whoever adds to it adds to what an operator has to trust.
var linked = []string{
	"golang.org/x/sys/", // system calls
	"github.com/klauspost/compress",
	"github.com/mikelolasagasti/xz", // sysstat reads what was compressed, to verify it

	"github.com/cilium/ebpf", // BPF programs loaded

	ours + "cmd/limpet-record",
	ours + "record",
	ours + "record/agent",
	ours + "record/blklat",
	ours + "record/dayfile",
	ours + "record/hoststat",
	ours + "record/kernel",
	ours + "record/kernel/blkprobe",
	ours + "record/kernel/inetdiag",
	ours + "record/sysstat",
	ours + "record/tcpstat",
	ours + "internal/bounded",
	ours + "internal/bounds",
	ours + "internal/devname",
	ours + "internal/listener",
	ours + "internal/outfile",
	ours + "internal/unpack",
	ours + "internal/version",
}

const ours = "github.com/limpet-storage/limpet/"

// TestLinked asks for all dependencies. The result is never a stale one from
// the cache: this test is linked with them too.
func TestLinked(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command: ", err)
	}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, ours+"record") {
		t.Fatalf("it does not record: %q", packages)
	}
	for _, p := range packages {
		if !slices.ContainsFunc(linked, func(may string) bool { return covers(may, p) }) {
			t.Errorf("%s is linked, which is no part of a small recorder", p)
		}
	}
}

// covers says whether a line of linked allows a package: ours are named one by
// one, modules of others as wholes.
func covers(may, p string) bool {
	if strings.HasPrefix(may, ours) {
		return p == may
	}
	return strings.HasPrefix(p, may)
}
