package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	plan "github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/topology"
)

// installed returns the directory of a storage whose tools are in PATH.
func installed(t *testing.T) string {
	t.Helper()
	dir, bin := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tools {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := newStorage(8).save(dir); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv(toolDir, dir)
	return dir
}

// TestDrivers carries out and reverses an action of each driver with programs that keep state. The
// programs that change something are exactly those of docs/act.md.
func TestDrivers(t *testing.T) {
	part := func(p topology.Part) *topology.System {
		s, _, err := topology.List("site", []topology.Listed{{Peers: "drive", Component: topology.Component{Name: "box1/sdb", Server: "box1", Device: "sdb", Part: p}}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	systems := map[string]*topology.System{
		"ceph": cluster(8), "md": part(topology.Part{Storage: "md", Redundancy: "raid1", Pool: "md0"}),
		"zfs": part(topology.Part{Storage: "zfs", Redundancy: "raidz2", Pool: "tank/raidz2-0"}), "multipath": part(topology.Part{Storage: "multipath", Redundancy: "4 replicas"}),
	}
	for _, d := range plan.Drivers() {
		system := systems[d.Storage]
		if d.Storage == "limpet" { // its tests are in cmd/limpet, with a real array
			continue
		}
		if system == nil {
			t.Errorf("%s, %s: no test", d.Storage, d.Effect)
			continue
		}
		dir := installed(t)
		w := newWorld(t, "mode: do\nrules: [{effects: ["+string(d.Effect)+"]}]")
		w.now.System, w.now.Open = system, []incident.Incident{slow(system, 0, noon)}
		w.o.Runner = &Commands{Local: func(string) bool { return false }, SSH: []string{"ssh", "-o", "BatchMode=yes"}}
		w.reopen()
		w.look()
		a := w.wants(d.Storage+", "+string(d.Effect), Watching)
		if _, err := w.x.Undo(t.Context(), a.ID, "ann", ""); err != nil {
			t.Fatal(err)
		}
		w.look()
		w.wants(d.Storage+", "+string(d.Effect), Undone)
		text, err := os.ReadFile(filepath.Join(dir, "calls"))
		if err != nil {
			t.Fatal(err)
		}
		s := d.Steps(a.Names)
		if want := s.Do.String() + "\n" + s.Undo.String() + "\n"; string(text) != want {
			t.Errorf("%s, %s: ran\n%swant\n%s", d.Storage, d.Effect, text, want)
		}
		// The same storage, if a check does not hold: nothing is changed.
		if d.Storage != "ceph" {
			continue
		}
		broken, _ := readStorage(dir)
		broken.PGs = "peering"
		if err := broken.save(dir); err != nil {
			t.Fatal(err)
		}
		w = newWorld(t, "mode: do\nrules: [{effects: ["+string(d.Effect)+"]}]")
		w.o.Runner = &Commands{Local: func(string) bool { return false }}
		w.reopen()
		w.look()
		w.wants("peering", Blocked)
		if again, err := os.ReadFile(filepath.Join(dir, "calls")); err != nil || string(again) != string(text) {
			t.Errorf("%s, %v", again, err)
		}
	}
}

// Files of the kernel are read and written on this machine, and no other file is.
func TestKernelFiles(t *testing.T) {
	root := t.TempDir()
	state := filepath.Join(root, "/sys/block/md0/md/dev-sdb/state")
	if err := errors.Join(os.MkdirAll(filepath.Dir(state), 0o700), os.WriteFile(state, []byte("in_sync\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := &Commands{Local: func(server string) bool { return server == "box1" }, Root: root}
	steps := plan.Lookup("md", plan.Relieve).Steps(plan.Names{"server": "box1", "array": "md0", "device": "sdb"})
	if answer, err := r.Run(t.Context(), steps.State.Command); err != nil || answer != "in_sync\n" {
		t.Errorf("%q, %v", answer, err)
	}
	if _, err := r.Run(t.Context(), steps.Do); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(state); string(text) != "writemostly\n" {
		t.Errorf("%q", text)
	}
	for _, name := range []string{"/etc/passwd", "/sys/block/../../etc/passwd", "/sys/block", "sys/block/md0/x"} {
		if _, err := r.Run(t.Context(), plan.Command{Server: "box1", File: name}); err == nil || !strings.Contains(err.Error(), "only files below") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.Run(t.Context(), plan.Command{Server: "box1", File: "/sys/block/md1/md/dev-sdb/state", Text: "writemostly"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
}

// script writes a program.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// No shell reads a command, a failure has what the program printed, and an answer is bounded.
func TestExecute(t *testing.T) {
	r := &Commands{Local: func(string) bool { return true }}
	show := script(t, `printf '%s|' "$@"`)
	if answer, err := r.Run(t.Context(), plan.Command{Args: []string{show, "$HOME", "a b", ";reboot", "`id`", "*"}}); err != nil || answer != "$HOME|a b|;reboot|`id`|*|" {
		t.Errorf("%q, %v", answer, err)
	}
	if answer, err := r.Run(t.Context(), plan.Command{Args: []string{script(t, "echo half; echo 'no quorum' >&2; exit 5")}}); err == nil || !strings.Contains(err.Error(), "exit status 5: no quorum") || answer != "half\n" {
		t.Errorf("%q, %v", answer, err)
	}
	if _, err := r.Run(t.Context(), plan.Command{Args: []string{"/no/such/program"}}); err == nil {
		t.Error("a program that does not exist")
	}
	if _, err := r.Run(t.Context(), plan.Command{}); err == nil {
		t.Error("an empty command")
	}
	l := &limited{maxBytes: 5}
	if n, err := l.Write([]byte("1234567")); n != 7 || err != nil || l.String() != "12345" || !l.cut {
		t.Errorf("%d, %v, %q", n, err, l.String())
	}
}

// A command that hangs is ended with all that it started.
func TestTimeLimit(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	hangs := script(t, "sleep 600 & echo $! > "+pid+"; wait")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := (&Commands{}).Run(ctx, plan.Command{Args: []string{hangs}})
		ended <- err
	}()
	var sleeper int
	for deadline := time.Now().Add(time.Minute); sleeper == 0; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(pid)
		sleeper, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		if time.Now().After(deadline) {
			t.Fatal("the program does not start")
		}
	}
	stop()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "took too long") {
		t.Error(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(sleeper) + "/stat")
		if err != nil || slices.Contains(strings.Fields(string(text)), "Z") || errors.Is(syscall.Kill(sleeper, 0), syscall.ESRCH) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("what the program started still runs")
		}
	}
}

// A server is this machine if it has its name, with or without the domain.
func TestLocal(t *testing.T) {
	r, err := NewCommands()
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	short, _, _ := strings.Cut(host, ".")
	if !r.Local(host) || !r.Local(short) || r.Local("x"+short) || r.Local("") {
		t.Errorf("%s: %t %t %t %t", host, r.Local(host), r.Local(short), r.Local("x"+short), r.Local(""))
	}
}

// A driver of the site, as a program and as a web service, is asked before, carried out, verified
// and reversed.
func TestExternalDrivers(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	program := script(t, `read line
echo "$line" >> `+dir+`/lines
case "$line" in
*'"step":"check"'*) if [ -e `+state+` ]; then echo '{"state":"masked","may":false,"text":"masked already"}'; else echo '{"state":"normal","may":true}'; fi ;;
*'"step":"do"'*) : > `+state+` ;;
*'"step":"undo"'*) rm `+state+` ;;
esac`)
	var mu sync.Mutex
	var steps []string
	masked := false
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var got map[string]string
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || r.Method != http.MethodPost || got["component"] != "osd0/sdb" {
			http.Error(w, "wrong", http.StatusBadRequest)
			return
		}
		steps = append(steps, got["step"])
		masked = got["step"] == "do" || got["step"] == "check" && masked
		fmt.Fprintf(w, `{"state":%q,"may":%t}`, map[bool]string{true: "masked", false: "normal"}[masked], !masked)
	}))
	defer service.Close()
	for name, how := range map[string]string{"program": "run: [" + program + "]", "service": "url: " + service.URL} {
		w := newWorld(t, "mode: do\ndrivers: [{storage: hdfs, effect: relieve, "+how+"}]")
		for i := range w.now.System.Components {
			w.now.System.Components[i].Storage = "hdfs"
		}
		w.o.Runner = &Commands{Local: func(string) bool { return false }}
		w.reopen()
		w.look()
		a := w.wants(name, Watching)
		if _, err := w.x.Undo(t.Context(), a.ID, "ann", ""); err != nil {
			t.Fatal(err)
		}
		w.look()
		w.wants(name, Undone)
	}
	text, err := os.ReadFile(filepath.Join(dir, "lines"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		var got map[string]string
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, got["step"])
	}
	want := []string{"check", "check", "do", "check", "check", "undo", "check"}
	if !slices.Equal(lines, want) || !slices.Equal(steps, want) {
		t.Errorf("the program got %q, the service %q, want %q", lines, steps, want)
	}
}
