package sad

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGenerated runs the command of the go:generate line in a copy of its
// directory. Reading the generator for the copy also tells the test cache that
// the answer depends on it.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator with settings of its own, and with them the standard library: make test-full")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command to generate with")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "asm"), os.DirFS("asm")); err != nil {
		t.Fatal(err)
	}
	if out, err := run(dir, "go -C asm mod download"); err != nil {
		t.Skipf("github.com/mmcloughlin/avo cannot be fetched: %v\n%s", err, out)
	}
	if out, err := run(dir, generateCommand(t)); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"vector_amd64.s", "vector_amd64.go"} {
		if !bytes.Equal(read(t, name), read(t, filepath.Join(dir, name))) {
			t.Errorf("%s is not what asm generates; run go generate", name)
		}
	}
}

func run(dir, command string) ([]byte, error) {
	words := strings.Fields(command)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	// The generator runs here, whatever the tests are built for.
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=", "GOWORK=off")
	return cmd.CombinedOutput()
}

func generateCommand(t *testing.T) string {
	for line := range strings.Lines(string(read(t, "sad.go"))) {
		if command, ok := strings.CutPrefix(line, "//go:generate "); ok {
			return command
		}
	}
	t.Fatal("sad.go has no go:generate line")
	return ""
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
