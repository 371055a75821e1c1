package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/live/top"
)

// TestTopURL shows a running limpet serve, another process, in a window of tmux and once as JSON: its
// incident with the ID of limpet diagnose, the event about it as a message, percentiles of requests, and
// its history. When the server dies, the screen says so.
func TestTopURL(t *testing.T) {
	m := newTmux(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "nas1.sa")
	drives := sixDrives{times: 3, load: 1}
	drives.write(t, file)
	limpet, err := exec.LookPath("limpet-main")
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "s")
	server := exec.Command(limpet, "serve", "--listen", "unix:"+socket, "--state", filepath.Join(t.TempDir(), "state"), dir)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	defer server.Process.Kill()
	var diagnosis struct {
		Incidents []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(limpetText(t, "diagnose", "-o", "json", file)), &diagnosis); err != nil || len(diagnosis.Incidents) != 1 {
		t.Fatalf("%v, %d incidents", err, len(diagnosis.Incidents))
	}
	id := diagnosis.Incidents[0].ID

	m.do("resize-window", "-x", "170", "-y", "40")
	modes := m.modes()
	var frame top.Frame
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		out, err := exec.Command(limpet, "top", "--url", "unix:"+socket, "--once", "-o", "json").Output()
		frame = top.Frame{}
		if err == nil && json.Unmarshal(out, &frame) == nil && frame.Incidents == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no incident of the server: %v, %+v", err, frame)
		}
	}
	if l := &frame.Lines[0]; l.ID != id || !strings.HasSuffix(l.Name, "dev8-32") && !strings.HasSuffix(l.Name, "sdc") {
		t.Errorf("the first line is %+v, want incident %s", l, id)
	}
	if !slices.ContainsFunc(frame.Messages, func(e top.Message) bool { return e.ID == id && strings.Contains(e.Text, " incident "+id+": ") }) {
		t.Errorf("no message about incident %s: %+v", id, frame.Messages)
	}
	for i := range frame.Lines {
		l := &frame.Lines[i]
		if !(l.P50 > 0 && l.P50 <= l.P99 && l.P99 <= l.Slowest) {
			t.Errorf("percentiles of %s are %g, %g and %g ms", l.Name, l.P50, l.P99, l.Slowest)
		}
		if ratio := float64(frame.Lines[0].P50 / l.P50); i > 0 && (ratio < drives.ratio()/2 || ratio > drives.ratio()*2) {
			t.Errorf("the median of the slow drive is %.1f times that of %s; its mean is %.1f times that of its peers", ratio, l.Name, drives.ratio())
		}
	}

	pid := m.top("--url unix:" + socket)
	m.await("the incident and percentiles", func(s string) bool {
		return strings.Contains(s, "\n# ") && strings.Contains(s, " incident "+id+": ") && strings.Contains(s, "P50")
	})
	m.keys("Left")
	m.has("PAST")
	m.keys("Space", "Enter")
	m.has("esc back")
	m.has("incident " + id)
	m.keys("Escape")
	m.has("q quit")
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	m.has("no new data since ")
	m.keys("q")
	m.ends(pid)
	m.has("ended with 0")
	if now := m.modes(); now != modes {
		t.Errorf("at the end %s, before %s", now, modes)
	}
}
