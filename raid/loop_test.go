package raid

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/policy"
)

// TestBlockDevices makes an array of loop devices that held something else.
func TestBlockDevices(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("loop devices need root")
	}
	if _, err := exec.LookPath("losetup"); err != nil {
		t.Skip("losetup is not installed")
	}
	members := make([]Member, 4)
	dir := t.TempDir()
	for i := range members {
		members[i] = loopDevice(t, filepath.Join(dir, string(rune('a'+i))))
	}
	if _, err := Create(members, CreateOptions{Journal: 4}); !errors.Is(err, ErrOccupied) {
		t.Fatalf("devices that hold something: %v", err)
	}
	if _, err := Create(members, CreateOptions{Journal: 4, Force: true}); err != nil {
		t.Fatal(err)
	}
	a, err := Open(members, testOptions(policy.Normal))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if !bytes.Equal(readAll(t, a), make([]byte, a.Size())) {
		t.Error("a new array is not zero")
	}
	want := noise(1, int(a.Size()))
	if _, err := a.WriteAt(want, 0); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("devices hold something else")
	}
	checkScrub(t, a)
}

func loopDevice(t *testing.T, path string) *member.File {
	t.Helper()
	if err := os.WriteFile(path, noise(7, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", path).CombinedOutput()
	if err != nil {
		t.Skipf("losetup makes no loop device: %v: %s", err, out)
	}
	device := strings.TrimSpace(string(out))
	t.Cleanup(func() { exec.Command("losetup", "--detach", device).Run() })
	f, err := member.OpenFile(device)
	if err != nil {
		t.Fatal(err)
	}
	if f.Size() != 1<<20 {
		t.Errorf("%s has %d bytes", f, f.Size())
	}
	return f
}
