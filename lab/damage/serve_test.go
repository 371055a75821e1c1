package damage

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/snappy"

	"github.com/limpet-storage/limpet/ingest/remotewrite/remotewritetest"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/server/api/client"
	"github.com/limpet-storage/limpet/server/serve"
	"github.com/limpet-storage/limpet/server/serve/config"
	"github.com/limpet-storage/limpet/topology"
)

// serveState is the state of a server that gets all its data by remote write: journal, ledger,
// history and intake.
var serveState = state{name: "serve", write: writeServe, open: openServe, boundaries: boundariesOfServe, unprotected: func(path, harm string) bool { return isActivity(path) && strings.HasPrefix(harm, "bit ") }}

// isActivity reports whether a file is an activity file. Its format is that of sysstat, and has no
// checksums.
func isActivity(path string) bool { return strings.HasSuffix(path, ".sa") }

const (
	began       = 1_772_323_200 // 2026-03-01 00:00 UTC
	stepSeconds = 15
	slowAfter   = 20 * 60 // seconds until a drive becomes slow
	stopAfter   = 50 * 60 // seconds until the server is stopped for the first time
	endAfter    = 80 * 60
)

var topologyText = "drives:\n  - servers: a, b\n    devices: sd[a-d]\n"

// site is a server in this process, with its clock and its receiver of notifications.
type site struct {
	t     *testing.T
	now   atomic.Int64
	hook  *httptest.Server
	state string
	// follows is a directory of activity files that the server follows; empty: it gets its data by
	// remote write.
	follows string
	*serve.Service
	stop  context.CancelFunc
	ended chan error
	mu    sync.Mutex
	told  []string // keys of notifications
	said  []string
}

func newSite(t *testing.T, state string, now int64) *site {
	s := &site{t: t, state: state}
	s.now.Store(now)
	s.hook = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var n alert.Notification
		if json.NewDecoder(r.Body).Decode(&n) == nil {
			s.mu.Lock()
			s.told = append(s.told, n.Key)
			s.mu.Unlock()
		}
	}))
	t.Cleanup(s.hook.Close)
	return s
}

func (s *site) config() config.Config {
	c := config.Default()
	c.State, c.Topology, c.Listen, c.Push = s.state, filepath.Join(filepath.Dir(s.state), "site.yaml"), "127.0.0.1:0", true
	c.Diagnosis.StepSeconds, c.Intake.Spool.Sync = stepSeconds, 50*time.Millisecond
	c.Diagnosis.Options.Criteria.RecoverSeconds, c.Diagnosis.Options.Criteria.OverSeconds = 300, 900
	c.Alerts.Options.QuietBefore = 1
	w := config.Webhook{Receiver: alert.Receiver{Name: "hook"}}
	w.Options.URL = s.hook.URL
	c.Alerts.To = []config.Receiver{w}
	if s.follows != "" {
		c.Directories, c.Push = []string{s.follows}, false
	}
	return c
}

// start opens the state and runs the server.
func (s *site) start() error {
	c := s.config()
	if err := os.WriteFile(c.Topology, []byte(topologyText), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.said = nil
	warn := func(text string) {
		s.mu.Lock()
		s.said = append(s.said, text)
		s.mu.Unlock()
	}
	ctx, stop := context.WithCancel(context.Background())
	service, err := serve.Open(ctx, c, serve.Options{
		Version: "1.2.3", Now: func() time.Time { return time.Unix(s.now.Load(), 0) }, Poll: 2 * time.Millisecond,
		Report: func(string) {}, Warn: warn, Stdout: io.Discard, Stderr: io.Discard,
		Load: func() (config.Config, error) { return c, nil },
	})
	if err != nil {
		stop()
		return err
	}
	s.Service, s.stop, s.ended = service, stop, make(chan error, 1)
	go func() { s.ended <- service.Run(ctx) }()
	return nil
}

func (s *site) end() {
	s.stop()
	if err := <-s.ended; err != nil {
		s.t.Error(err)
	}
	if err := s.Close(); err != nil {
		s.t.Error(err)
	}
}

// ask sends a request to the API.
func (s *site) ask(method, path, body string, into any) int {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.Address()+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if answer.StatusCode >= http.StatusInternalServerError && into != nil {
		s.mu.Lock()
		s.said = append(s.said, fmt.Sprintf("%s is answered with %d: %s", path, answer.StatusCode, text))
		s.mu.Unlock()
	}
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		s.t.Fatalf("%s %s: %v: %.200s", method, path, err, text)
	}
	return answer.StatusCode
}

// push sends one scrape of a server. The server acknowledges it.
func (s *site) push(server string, at int64) {
	s.t.Helper()
	if code := s.send(server, at, at, 0); code != http.StatusNoContent {
		s.t.Fatalf("samples are answered with %d", code)
	}
}

// send sends one scrape of a server, with the counters of a time. The stamp is the time that the
// sender gives, and more is added to the number of reads.
func (s *site) send(server string, at, stamp int64, more float64) int {
	s.t.Helper()
	since := float64(at - began + 3600)
	var all []remotewritetest.Series
	add := func(name, device string, value float64) {
		labels := []remotewritetest.Label{{Name: "__name__", Value: name}}
		if device != "" {
			labels = append(labels, remotewritetest.Label{Name: "device", Value: device})
		}
		labels = append(labels, remotewritetest.Label{Name: "instance", Value: server}, remotewritetest.Label{Name: "job", Value: "node"})
		all = append(all, remotewritetest.Series{Labels: labels, Time: stamp * 1000, Value: value})
	}
	for i := range 4 {
		device, reads := "sd"+string(rune('a'+i)), since*50+more
		waited := reads*0.004 + float64((at/15*int64(7+i+len(server)))%11)*0.01
		if server == "a" && i == 2 {
			waited += max(0, float64(at-began-slowAfter)) * 50 * 0.036
		}
		for name, v := range map[string]float64{
			"reads_completed": reads, "read_bytes": reads * 65536, "read_time_seconds": waited, "writes_completed": 0,
			"written_bytes": 0, "write_time_seconds": 0, "io_time_seconds": since * 0.2, "io_time_weighted_seconds": waited,
		} {
			add("node_disk_"+name+"_total", device, v)
		}
	}
	add("node_boot_time_seconds", "", began-3600)
	r, err := http.NewRequest(http.MethodPost, s.Address()+"/api/v1/write", strings.NewReader(string(snappy.Encode(nil, remotewritetest.Version1(all)))))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", remotewritetest.ContentType(1))
	r.Header.Set("Content-Encoding", "snappy")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

// live pushes scrapes up to a time, step by step.
func (s *site) live(until int64) {
	for at := s.now.Load() + stepSeconds; at <= until; at += stepSeconds {
		s.now.Store(at)
		s.push("a", at)
		s.push("b", at)
	}
}

// wait waits until something holds.
func (s *site) wait(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("not within two minutes: %s", what)
		}
	}
}

// incidents returns the IDs of incidents.
func (s *site) incidents() (ids []string) {
	var all struct {
		Incidents []struct{ Incident struct{ ID string } }
	}
	s.ask("GET", "/api/v1/incidents", "", &all)
	for _, one := range all.Incidents {
		ids = append(ids, one.Incident.ID)
	}
	return ids
}

// caughtUp reports whether all rows that can be closed have been judged. The journal waits for a
// late server for two steps.
func (s *site) caughtUp() bool {
	return s.Ready() && s.Standing() >= s.now.Load()-4*stepSeconds
}

// Standing returns the end of the last judged row.
func (s *site) Standing() int64 {
	var status struct{ At time.Time }
	s.ask("GET", "/api/v1/status", "", &status)
	return status.At.Unix()
}

func writeServe(t *testing.T, d dirs) {
	s := newSite(t, filepath.Join(t.TempDir(), "state"), began)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.start())
	s.live(began + stopAfter)
	s.wait("an incident", func() bool { return len(s.incidents()) > 0 })
	s.wait("rows", func() bool { return s.caughtUp() })
	s.end()
	copyState(t, s.state, d.older)
	must(s.start())
	s.live(began + endAfter)
	s.wait("rows", func() bool { return s.caughtUp() })
	id := s.incidents()[0]
	for _, body := range []string{`{"verb": "comment", "text": "ticket 4711"}`, `{"verb": "was", "text": "a worn-out drive"}`, `{"verb": "mute", "text": "known"}`} {
		if code := s.ask("POST", "/api/v1/incidents/"+id+"/feedback", body, nil); code != http.StatusOK {
			t.Fatalf("%s is answered with %d", body, code)
		}
	}
	if code := s.ask("POST", "/api/v1/reload", "{}", nil); code != http.StatusOK { // an entry of the audit trail alone
		t.Fatalf("the reload is answered with %d", code)
	}
	s.wait("notifications", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.told) >= 2 // it fires, and the mute resolves it
	})
	s.wait("a list of the received files", func() bool {
		info, err := os.Stat(filepath.Join(s.state, "intake", ".intake.files"))
		return err == nil && info.Size() > 0
	})
	s.backup(d.backup)
	copyState(t, s.state, d.killed)
	s.end()
	copyState(t, s.state, d.clean)
}

// backup takes a backup as limpet backup does, and unpacks it.
func (s *site) backup(to string) {
	s.t.Helper()
	c, err := client.New(client.Options{Server: s.Address()})
	if err != nil {
		s.t.Fatal(err)
	}
	var archive bytes.Buffer
	if _, err := c.Backup(s.t.Context(), &archive); err != nil {
		s.t.Fatal(err)
	}
	for r := tar.NewReader(&archive); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			s.t.Fatal(err)
		}
		_, name, _ := strings.Cut(h.Name, "/")
		path := filepath.Join(to, name)
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o700)
		} else {
			data, readErr := io.ReadAll(r)
			err = errors.Join(readErr, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600))
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// openServe starts a server with a state, and asks it for everything that was acknowledged. Then it
// compares the answer with that of limpet check.
func openServe(t *testing.T, dir string) (a answer) {
	found, checkErr := watch.Inspect(t.Context(), dir)
	s := newSite(t, dir, began+endAfter)
	if err := s.start(); err != nil {
		a.says = err.Error()
		if checkErr == nil && found.Refused == nil {
			t.Errorf("serve says %q, and check finds no reason: %+v", err, found)
		}
		return a
	}
	defer s.end()
	a.starts = true
	if files, _ := filepath.Glob(filepath.Join(dir, "intake", "*.sa")); len(files) > 0 {
		s.wait("the server is ready", func() bool { return s.ask("GET", "/-/ready", "", nil) == http.StatusOK })
		s.wait("rows", func() bool { return s.caughtUp() })
	} else { // a backup has no received data; without a snapshot the server waits for the first data
		var status struct {
			Ready   bool
			Waiting string
		}
		s.wait("an answer", func() bool {
			s.ask("GET", "/api/v1/status", "", &status)
			return status.Ready || status.Waiting != ""
		})
	}
	a.has = s.everything(&a)
	s.mu.Lock()
	if a.says == "" && len(s.told) > 0 && len(s.said) == 0 {
		t.Errorf("notified again: %q", s.told)
	}
	s.mu.Unlock()
	var status struct{ Troubles []struct{ Kind, Text string } }
	s.ask("GET", "/api/v1/status", "", &status)
	s.mu.Lock()
	a.says += strings.Join(s.said, "\n") // includes errors of the API
	s.mu.Unlock()
	for _, one := range status.Troubles {
		a.says += one.Kind + ": " + one.Text + "\n"
	}
	switch {
	case checkErr != nil:
		t.Errorf("check: %v", checkErr)
	case found.Refused != nil:
		t.Errorf("serve starts, and check says %q", found.Refused)
	case a.says != "" && len(found.Damage)+len(found.Unchecked) == 0:
		t.Errorf("serve says %q, and check says nothing", a.says)
	}
	return a
}

// everything asks for all that was acknowledged or stored. Answers may have warnings.
func (s *site) everything(a *answer) (has []string) {
	var audit struct {
		Deeds []struct{ Action, Object, Text, Outcome string }
	}
	s.ask("GET", "/api/v1/audit?limit=1000", "", &audit)
	for _, one := range audit.Deeds {
		has = append(has, fmt.Sprintf("audit %+v", one))
	}
	var events struct {
		Events []struct {
			Number           int
			Time, Change, ID string
			Text             string
		}
	}
	s.ask("GET", "/api/v1/events?limit=1000", "", &events)
	for _, one := range events.Events {
		has = append(has, fmt.Sprintf("event %+v", one))
	}
	s.wait("commands", func() bool { // from the ledger they are executed when all rows have been read
		return !slices.ContainsFunc(s.incidents(), func(id string) bool { return s.waits(id) })
	})
	for _, id := range s.incidents() {
		var one struct {
			Incident struct {
				Muted    bool
				Comments []struct{ Text string }
			}
			Said []struct{ Verb, Text, User string }
		}
		s.ask("GET", "/api/v1/incidents/"+id, "", &one)
		has = append(has, fmt.Sprintf("incident %s muted %v", id, one.Incident.Muted))
		for _, said := range one.Said {
			has = append(has, fmt.Sprintf("incident %s: %+v", id, said))
		}
		for _, c := range one.Incident.Comments {
			has = append(has, fmt.Sprintf("incident %s: comment %s", id, c.Text))
		}
	}
	for _, name := range []string{"a/sda", "a/sdc", "b/sdd"} {
		has = append(has, s.series(name, a)...)
	}
	return append(has, records(s.t, filepath.Join(s.state, "intake"))...)
}

// waits reports whether a command of an incident is in the ledger and was not executed yet.
func (s *site) waits(id string) bool {
	var one struct {
		Incident struct {
			Muted    bool
			Comments []struct{ Text string }
		}
		Said []struct{ Verb string }
	}
	s.ask("GET", "/api/v1/incidents/"+id, "", &one)
	said := func(verb string) bool {
		return slices.ContainsFunc(one.Said, func(w struct{ Verb string }) bool { return w.Verb == verb })
	}
	return said("mute") && !one.Incident.Muted || said("comment") && len(one.Incident.Comments) == 0
}

// series returns the values that plots of a drive show.
func (s *site) series(name string, a *answer) (has []string) {
	var got struct {
		Warnings []string
		Values   []*float64
	}
	q := fmt.Sprintf("?component=%s&metric=await&from=2026-03-01T00:00:00Z&to=2026-03-01T01:15:00Z&points=1000", url.QueryEscape(name))
	s.ask("GET", "/api/v1/series"+q, "", &got)
	for _, text := range got.Warnings {
		a.says += "series: " + text + "\n"
	}
	for i, v := range got.Values {
		if v != nil {
			has = append(has, fmt.Sprintf("value %d of %s: %v", i, name, *v))
		}
	}
	return has
}

// records returns the times of all records of received files.
func records(t *testing.T, dir string) (has []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.sa"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		r, err := sysstat.Open(path)
		if err != nil {
			continue
		}
		for {
			rec, err := r.Next()
			if err != nil {
				break
			}
			if rec.Type == sysstat.Stats {
				has = append(has, fmt.Sprintf("sample of %s at %d: %v", r.Header().Hostname, rec.Time, rec.Disks(nil)))
			}
		}
		r.Close()
	}
	return has
}

// boundariesOfServe returns the boundaries of records of journals, of pages of SQLite and of frames
// of its log, and of the parts of Parquet files.
func boundariesOfServe(path string, data []byte) (at []int64) {
	size := int64(len(data))
	le := binary.LittleEndian
	switch filepath.Ext(path) {
	case ".snapshot", ".log":
		at = append(at, 16, 24, 64, 68, size-4)
		if first, second := int64(le.Uint64(data[48:])), int64(le.Uint64(data[56:])); filepath.Ext(path) == ".log" {
			for n := 68 + first + second + 4; n < size; {
				at = append(at, n, n+24)
				if n+24 > size {
					break
				}
				n += 24 + int64(le.Uint32(data[n+4:]))
			}
		} else {
			at = append(at, 68+first)
		}
	case ".sqlite":
		for n := int64(4096); n < size; n += 4096 {
			at = append(at, n)
		}
	case ".sqlite-wal":
		for n := int64(32); n < size; n += 24 + 4096 {
			at = append(at, n)
		}
	case ".parquet":
		at = append(at, 4, size-4, size-8)
	}
	return slices.DeleteFunc(at, func(n int64) bool { return n <= 0 || n >= size })
}

// nodeState is the state of a node of a cluster: ledger and history. Events are in NATS, too.
var nodeState = state{name: "cluster", write: writeNode, open: openNode, boundaries: boundariesOfServe}

// writeNode takes the ledger and the history of a server: a server may become a node of a cluster,
// and both then have the same form.
func writeNode(t *testing.T, d dirs) {
	writeServe(t, d)
	for _, dir := range []string{d.clean, d.killed, d.backup, d.older} {
		if err := cmp.Or(os.RemoveAll(filepath.Join(dir, "journal")), os.RemoveAll(filepath.Join(dir, "intake"))); err != nil {
			t.Fatal(err)
		}
	}
}

func openNode(t *testing.T, dir string) (a answer) {
	now := func() time.Time { return time.Unix(began+endAfter, 0) }
	w := watch.DefaultOptions()
	w.StateDir, w.Now = dir, now
	w.Paths = []string{dir}
	w.Warn = func(text string) { a.says += text + "\n" }
	system, _, err := topology.Parse("site.yaml", []byte(topologyText))
	if err != nil {
		t.Fatal(err)
	}
	w.System = system
	o := cluster.DefaultOptions()
	o.NATS.Node, o.Roles = "n1", []cluster.Role{cluster.RoleAPI}
	node, err := cluster.Join(t.Context(), o, w, bus.NewLocal(now, time.Second), func() {})
	if err != nil {
		return answer{says: err.Error()}
	}
	defer node.Close()
	a.starts = true
	events, err := node.Ledger().Events(t.Context(), 0, 1000)
	if err != nil {
		a.says += err.Error()
	}
	for _, e := range events {
		a.has = append(a.has, fmt.Sprintf("event %d at %d: %s %s", e.Seq, e.Time, e.Change, e.Sentence))
	}
	commands, err := node.Ledger().Commands(t.Context(), 1000)
	if err != nil {
		a.says += err.Error()
	}
	for _, c := range commands {
		a.has = append(a.has, fmt.Sprintf("command %s %s %s %s", c.Verb, c.Incident, c.Text, c.Who))
	}
	audits, err := node.Ledger().Audits(t.Context(), 0, 1000)
	if err != nil {
		a.says += err.Error()
	}
	for _, one := range audits {
		a.has = append(a.has, fmt.Sprintf("audit %+v", one))
	}
	for _, text := range node.History().Troubles() {
		a.says += text + "\n"
	}
	return a
}
