package nbd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/nbd"
)

// memberSize makes an array of four data members 24 MiB long.
const memberSize = 8 << 20

// serveArray exports an array of files on a Unix socket.
func serveArray(t *testing.T) (a *raid.Array, socket, uri string) {
	t.Helper()
	dir := t.TempDir()
	members := make([]raid.Member, 6)
	for i := range members {
		f, err := member.CreateFile(filepath.Join(dir, fmt.Sprint(i)), memberSize)
		if err != nil {
			t.Fatal(err)
		}
		members[i] = f
	}
	if _, err := raid.Create(members, raid.DefaultCreateOptions()); err != nil {
		t.Fatal(err)
	}
	a, err := raid.Open(members, raid.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(dir, "s")
	l, err := nbd.Listen("unix:"+socket, false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := nbd.NewServer(nbd.Export{Name: "array", Description: "six files", Device: a}, nbd.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l)
	t.Cleanup(func() {
		s.Close()
		checkWhole(t, a)
		a.Close()
	})
	return a, socket, "nbd+unix:///array?socket=" + socket
}

func checkWhole(t *testing.T, a *raid.Array) {
	t.Helper()
	scrub, err := a.Scrub(context.Background(), raid.ScrubOptions{}) // the test's is over
	if err != nil || scrub.Faulty != 0 || scrub.Checked == 0 {
		t.Errorf("after the tool: %+v, %v", scrub, err)
	}
}

// run runs a tool, or skips the test where it is not installed.
func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = t.TempDir()
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, said.Bytes())
	}
	return out
}

// imageFile is a file as long as the array, of noise and of zeros.
func imageFile(t *testing.T, size int64) (path string, content []byte) {
	t.Helper()
	content = make([]byte, size)
	rand.NewChaCha8([32]byte{1}).Read(content)
	for at := 1 << 20; at < len(content); at += 3 << 20 {
		clear(content[at:min(at+1<<20, len(content))])
	}
	path = filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, content
}

func checkContent(t *testing.T, a *raid.Array, want []byte) {
	t.Helper()
	got := make([]byte, a.Size())
	if _, err := a.ReadAt(got, 0); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the array does not hold what the tool wrote")
	}
}

func checkFile(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the tool did not read what it wrote")
	}
}

func TestNbdinfo(t *testing.T) {
	a, _, uri := serveArray(t)
	var info struct {
		Exports []struct {
			Name        string `json:"export-name"`
			Size        int64  `json:"export-size"`
			Description string `json:"description"`
			ReadOnly    bool   `json:"is_read_only"`
			Flush       bool   `json:"can_flush"`
			FUA         bool   `json:"can_fua"`
			Trim        bool   `json:"can_trim"`
			Zero        bool   `json:"can_zero"`
			DF          bool   `json:"can_df"`
			MultiConn   bool   `json:"can_multi_conn"`
			MinBlock    int    `json:"block_size_minimum"`
			Preferred   int    `json:"block_size_preferred"`
			MaxBlock    int    `json:"block_size_maximum"`
		} `json:"exports"`
	}
	out := run(t, "nbdinfo", "--json", "--list", uri)
	if err := json.Unmarshal(out, &info); err != nil || len(info.Exports) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	e := info.Exports[0]
	if e.Name != "array" || e.Description != "six files" || e.Size != a.Size() || e.ReadOnly || !e.Flush || !e.FUA || !e.Trim || !e.Zero || !e.DF ||
		!e.MultiConn || e.MinBlock != 1 || e.Preferred != 4096 || e.MaxBlock != 32<<20 {
		t.Errorf("nbdinfo sees %+v", e)
	}
}

// TestNbdinfoMap sees where the array holds nothing, before and after a trim.
func TestNbdinfoMap(t *testing.T) {
	a, _, uri := serveArray(t)
	stripe := a.Size() / a.Geometry().Stripes
	if _, err := a.WriteAt(bytes.Repeat([]byte{7}, int(64*stripe)), 100*stripe); err != nil {
		t.Fatal(err)
	}
	if err := a.Discard(110*stripe, 10*stripe); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Off    int64 `json:"offset"`
		Length int64 `json:"length"`
		Type   int   `json:"type"`
	}
	out := run(t, "nbdinfo", "--map", "--json", uri)
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var got []string
	for _, e := range list {
		got = append(got, fmt.Sprintf("%d+%d:%d", e.Off/stripe, e.Length/stripe, e.Type))
	}
	want := fmt.Sprintf("[0+100:3 100+10:0 110+10:3 120+44:0 164+%d:3]", a.Geometry().Stripes-164)
	if fmt.Sprint(got) != want {
		t.Errorf("the map is %v, want %s", got, want)
	}
}

func TestNbdcopy(t *testing.T) {
	a, _, uri := serveArray(t)
	image, want := imageFile(t, a.Size())
	run(t, "nbdcopy", "--flush", image, uri)
	checkContent(t, a, want)
	back := filepath.Join(t.TempDir(), "back")
	run(t, "nbdcopy", uri, back)
	checkFile(t, back, want)
}

func TestQemuImg(t *testing.T) {
	a, _, uri := serveArray(t)
	image, want := imageFile(t, a.Size())
	run(t, "qemu-img", "convert", "-n", "-f", "raw", "-O", "raw", image, uri)
	checkContent(t, a, want)
	run(t, "qemu-img", "compare", "-f", "raw", "-F", "raw", image, uri)
	back := filepath.Join(t.TempDir(), "back")
	run(t, "qemu-img", "convert", "-f", "raw", "-O", "raw", uri, back)
	checkFile(t, back, want)
}

// TestFio writes at random with several requests under way and verifies.
func TestFio(t *testing.T) {
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("fio is not installed")
	}
	if engines := run(t, "fio", "--enghelp"); !bytes.Contains(engines, []byte("nbd")) {
		t.Skip("fio has no nbd engine")
	}
	_, _, uri := serveArray(t)
	run(t, "fio", "--name=verify", "--ioengine=nbd", "--uri="+uri, "--rw=randwrite", "--bsrange=512-64k", "--bs_unaligned=0",
		"--blockalign=512", "--size=8m", "--iodepth=16", "--verify=crc32c", "--verify_fatal=1", "--randseed=1", "--fsync=32")
}
