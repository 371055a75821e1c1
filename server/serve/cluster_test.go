package serve

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/serve/config"
)

const apart = `
servers: fs[1-4]
arrays:
  - {names: 'ddn[1-2]', servers_per_array: 2, luns: 00-11, priority: rotate, controllers: {a: 1, b: 2}, devices: 'sd[b-m]', peers: array}
`

// recordedApart writes two hours of two arrays, of which LUN 2.05 becomes slow.
func recordedApart(t *testing.T) string {
	t.Helper()
	s := arrays.Demo(1)
	s.Topology, s.Interval, s.Shares, s.Compressed = []byte(apart), 15*time.Second, nil, nil
	s.End = s.Start.Add(2 * time.Hour)
	s.Events = []arrays.Event{{From: s.Start.Add(40 * time.Minute), To: s.End, Mechanism: arrays.SlowLUN{LUN: "2.05", Factor: 4}}}
	dir := t.TempDir()
	if _, err := s.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// natsServer starts one server of NATS.
func natsServer(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("NATS does not start")
	}
	return s.ClientURL()
}

// asked is what a service answers at a path.
func asked(t *testing.T, r *running, path string) string {
	t.Helper()
	a, err := http.Get(r.Address() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s, %v", path, a.Status, text, err)
	}
	return string(text)
}

// join starts a node by the clock of this machine: leases go by it.
func join(t *testing.T, c config.Config) *running {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s, err := Open(ctx, c, Options{Version: "1.2.3", Now: time.Now, Report: func(s string) { t.Log(s) }, Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		stop()
		t.Fatal(err)
	}
	r := &running{s, t, stop, make(chan error, 1)}
	go func() { r.ended <- s.Run(ctx) }()
	return r
}

// leave ends a node, which gives back what it holds.
func leave(t *testing.T, r *running) {
	t.Helper()
	r.stop()
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestCluster: of two nodes on NATS one reads, and either answers for the whole by API and
// console. Both have the same webhook, which gets the alert once, and either knows which node
// delivers.
func TestCluster(t *testing.T) {
	dir, url := recordedApart(t), natsServer(t)
	var nodes []*running
	hook := newHook(t)
	for i, roles := range [][]cluster.Role{{cluster.RoleIngest, cluster.RoleWorker}, {cluster.RoleWorker}} {
		c := settings(dir, filepath.Join(t.TempDir(), "state"), hook)
		c.Alerts.Options.QuietBefore = 1 // the files are old
		c.Diagnosis.StepSeconds = 15
		o := cluster.DefaultOptions()
		o.NATS.URLs, o.NATS.Cluster, o.NATS.Node, o.NATS.Replicas, o.Roles = []string{url}, "site", []string{"one", "two"}[i], 1, roles
		c.Cluster = &o
		if i > 0 {
			c.Directories, c.Push = nil, false
		}
		n := join(t, c)
		defer leave(t, n)
		nodes = append(nodes, n)
	}
	for _, n := range nodes {
		var list string
		for begun := time.Now(); !strings.Contains(list, "2.05"); time.Sleep(100 * time.Millisecond) {
			if list = asked(t, n, "/api/v1/incidents"); time.Since(begun) > time.Minute {
				t.Fatalf("the incident does not come up: %s", list)
			}
		}
		if !json.Valid([]byte(list)) || !strings.Contains(asked(t, n, "/console/system.json"), "2.05.3") {
			t.Error("the console does not know the whole system")
		}
		if shown := asked(t, n, "/api/v1/configuration"); !strings.Contains(shown, `"partitions":16`) && !strings.Contains(shown, `"partitions": 16`) {
			t.Errorf("the configuration has no cluster: %s", shown)
		}
	}
	var got [2]api.Status
	settled := func() bool {
		for i, n := range nodes {
			if err := json.Unmarshal([]byte(asked(t, n, "/api/v1/status")), &got[i]); err != nil {
				t.Fatal(err)
			}
			if r := got[i].Receivers; len(r) != 1 || r[0].Name != "hook" || r[0].Node == "" || r[0].Queued != 0 || r[0].Last == 0 || got[i].AlertsDecidedBy == "" {
				return false
			}
		}
		return got[0].Receivers[0].Node == got[1].Receivers[0].Node
	}
	for begun := time.Now(); !settled(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("the nodes do not agree about the receiver: %+v and %+v", got[0], got[1])
		}
	}
	if got[0].Receivers[0].Here == got[1].Receivers[0].Here {
		t.Errorf("not one node delivers: %+v and %+v", got[0].Receivers, got[1].Receivers)
	}
	if told := hook.heard(); len(told) != 1 || told[0].Place.Name != "2.05" || told[0].State != alert.Firing {
		t.Errorf("the webhook got %+v", told)
	}
}
