package version

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"
)

func TestFill(t *testing.T) {
	b := Build{}
	b.fill(&debug.BuildInfo{
		Main:     debug.Module{Version: "v0.3.0"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "1a2b3c4"}, {Key: "vcs.modified", Value: "true"}},
	})
	if b.Version != "v0.3.0" || b.Commit != "1a2b3c4, changed" {
		t.Errorf("%+v", b)
	}
}

// TestLinked builds a program as packages are built: it says what it was told.
func TestLinked(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	program := filepath.Join(t.TempDir(), "limpet-record")
	const path = "github.com/limpet-storage/limpet/internal/version."
	build := exec.Command(tool, "build", "-trimpath", "-buildvcs=false", "-o", program,
		"-ldflags", "-X "+path+"tag=0.3.0 -X "+path+"commit=1a2b3c4", checkout.Path(t, "cmd/limpet-record"))
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program, "--version").Output()
	want := "limpet-record 0.3.0 (commit 1a2b3c4, " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH + ")\n"
	if err != nil || string(out) != want {
		t.Errorf("%s, %v, want %s", out, err, want)
	}
	if got := Get().String(); !strings.Contains(got, runtime.Version()) {
		t.Error(got)
	}
}
