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
	if b.Version != "v0.3.0" || b.Commit != "1a2b3c4 with local changes" {
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

// TestPlainBuildNamesItsCommit builds a program in a clone with go build alone. The flag
// -buildvcs=auto is the default, which the settings of go env may change.
func TestPlainBuildNamesItsCommit(t *testing.T) {
	for _, tool := range []string{"go", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs the command: ", err)
		}
	}
	head, err := exec.Command("git", "-C", checkout.Path(t, "."), "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("the source is no checkout of git: ", err)
	}
	dir := t.TempDir()
	clone := exec.Command("git", "clone", "-q", "--shared", "-n", checkout.Path(t, "."), dir)
	if out, err := clone.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command("git", "-C", dir, "checkout", "-q", strings.TrimSpace(string(head))).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=auto", "-o", filepath.Join(dir, "bin", "limpet-record"), "./cmd/limpet-record")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "bin", "limpet-record"), "--version").Output()
	if want := "(commit " + strings.TrimSpace(string(head)); err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%s, %v, want %s", out, err, want)
	}
}

// TestArchiveNamesItsCommit: git archive replaces the pattern in archive.txt. Without a
// commit, limpet version explains how to build with one.
func TestArchiveNamesItsCommit(t *testing.T) {
	if archived(archive) != "" || archived("1a2b3c4\n") != "1a2b3c4" {
		t.Errorf("%q: %q", archive, archived(archive))
	}
	root := checkout.Path(t, ".")
	head, err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("the source is no checkout of git: ", err)
	}
	tar, err := exec.Command("git", "-C", root, "archive", "HEAD", "internal/version/archive.txt").Output()
	if err != nil || !strings.Contains(string(tar), strings.TrimSpace(string(head))) {
		t.Errorf("git archive does not write the commit into archive.txt: %v", err)
	}
	if s := (Build{Commit: unknown}).String(); !strings.Contains(s, "(commit unknown, ") {
		t.Error(s)
	}
}
