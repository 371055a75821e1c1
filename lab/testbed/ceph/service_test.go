//go:build linux

package ceph

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
	"github.com/limpet-storage/limpet/topology"
)

// standing is a Ceph of a run whose disks have names, and nothing else.
func standing(t *testing.T, run *testbed.Run) *service {
	t.Helper()
	c := &service{&bench.Cluster{Top: t.TempDir(), Run: run, Layout: System{}.Layout(run)}}
	for i, d := range c.Layout.Disks {
		if err := os.MkdirAll(filepath.Join(c.Top, d.Server), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(c.Top, d.Server, d.Name+".B"), fmt.Appendf(nil, "/dev/loop%d\n", 10+i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestTopology: OSDs are peers of OSDs, drives of databases of their like, and each OSD is found by
// its name.
func TestTopology(t *testing.T) {
	for i := range 60 {
		run := testbed.Ceph.Draw(1, i)
		c := standing(t, &run)
		text, err := c.Topology()
		if err != nil {
			t.Fatal(err)
		}
		system, warnings, err := topology.Parse("topology.yaml", text)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%v, %v:\n%s", err, warnings, text)
		}
		groups, osds := map[int]bool{}, 0
		for _, k := range system.Components {
			if k.Device == "" || k.Device == "e0" {
				continue
			}
			if k.Volume != "" {
				osds++
			}
			groups[k.Group] = true
		}
		want := 1
		if run.Ceph.DB {
			want = 2
		}
		if osds != run.Ceph.OSDs() || len(groups) != want {
			t.Errorf("%s: %d OSDs in %d groups of drives, want %d in %d:\n%s", run.Name, osds, len(groups), run.Ceph.OSDs(), want, text)
		}
	}
}

// TestEntries: each OSD has a partition of its own, and, where databases have a drive, one of that.
func TestEntries(t *testing.T) {
	run := testbed.Ceph.DrawOf(1, 0, []testbed.Fault{testbed.DBSlow})
	c := standing(t, &run)
	seen := map[string]bool{}
	for osd := range run.Ceph.OSDs() {
		entry, err := c.entry(osd)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Split(entry, ":")
		if len(words) != 4 || words[1] != fmt.Sprintf("s%d", osd/2+1) {
			t.Errorf("OSD %d: %s", osd, entry)
		}
		for _, device := range words[2:] {
			if seen[device] {
				t.Errorf("%s is given twice", device)
			}
			seen[device] = true
		}
	}
}

// TestAsk: a daemon gets a command as JSON up to a zero byte, and answers with a length and a text.
func TestAsk(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "osd.0.asok")
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	got := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		command, _ := bufio.NewReader(conn).ReadString(0)
		got <- command
		_ = binary.Write(conn, binary.BigEndian, uint32(4))
		_, _ = io.WriteString(conn, "{} \n")
	}()
	said, err := ask(socket, "perf dump")
	if err != nil || string(said) != "{} \n" {
		t.Errorf("%q, %v", said, err)
	}
	if command := <-got; command != `{"prefix": "perf dump", "format": "json"}`+"\x00" {
		t.Errorf("the daemon was sent %q", command)
	}
	if _, err := ask(socket+"x", "perf dump"); err == nil {
		t.Error("a daemon that is not there answers")
	}
}
