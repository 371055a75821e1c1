package torture

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/limpet-storage/limpet/live/cluster/bus/bustest"
)

// testCluster is processes.
type testCluster struct {
	tb      testing.TB
	nodes   map[string]*node
	running map[string]*exec.Cmd
	urls    []string
	log     *os.File
}

const workers = 4

// leaseTime is short, so that takeovers are many.
const leaseTime = 2 * time.Second

// newCluster starts a cluster. All nodes but the servers of NATS have the version and the lease time
// of the node like.
func newCluster(tb testing.TB, w *world, pace time.Duration, hook string, like node) *testCluster {
	tb.Helper()
	log, err := os.Create(filepath.Join(tb.TempDir(), "log"))
	if err != nil {
		tb.Fatal(err)
	}
	c := &testCluster{tb: tb, nodes: map[string]*node{}, running: map[string]*exec.Cmd{}, log: log}
	tb.Cleanup(c.end)
	ports := bustest.FreePorts(tb, 9)
	var routes []string
	for i := range 3 {
		c.urls = append(c.urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[3+i]))
	}
	for i := range 3 {
		name := fmt.Sprintf("nats%d", i+1)
		c.nodes[name] = &node{Role: natsRole, Name: name, Dir: filepath.Join(w.dir, name), Port: ports[i], RoutePort: ports[3+i], HTTPPort: ports[6+i], Routes: routes}
		c.start(name)
	}
	for name := range c.nodes {
		c.await(name)
	}
	for i := range workers {
		name := fmt.Sprintf("worker%d", i+1)
		c.add(like, node{Role: workerRole, Name: name})
	}
	for i := range tellers {
		name := fmt.Sprintf("teller%d", i+1)
		c.add(like, node{Role: tellerRole, Name: name, Dir: filepath.Join(w.dir, name), Hook: hook})
	}
	begin := time.Now()
	for _, half := range halves {
		c.add(like, node{Role: ingestRole, Name: half, Dir: filepath.Join(w.dir, half), Begin: begin, Pace: pace})
	}
	return c
}

// add starts a node with the version and the lease time of another.
func (c *testCluster) add(like, n node) {
	c.tb.Helper()
	n.URLs, n.LeaseTime, n.Older, n.Program = c.urls, like.LeaseTime, like.Older, like.Program
	c.nodes[n.Name] = &n
	c.start(n.Name)
}

// start starts a node as a process of this program.
func (c *testCluster) start(name string) {
	c.tb.Helper()
	text, err := json.Marshal(c.nodes[name])
	if err != nil {
		c.tb.Fatal(err)
	}
	cmd := exec.Command(cmp.Or(c.nodes[name].Program, os.Args[0]))
	cmd.Env = append(os.Environ(), nodeEnv+"="+string(text), "GOMEMLIMIT=1GiB")
	cmd.Stdout, cmd.Stderr = c.log, c.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		c.tb.Fatal(err)
	}
	c.running[name] = cmd
}

// kill ends a node as a loss of power does.
func (c *testCluster) kill(name string) {
	cmd := c.running[name]
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	delete(c.running, name)
}

// stop ends a node as an operator does. A test program of another version may exit with 1 if it is
// stopped while NATS does not answer.
func (c *testCluster) stop(name string) {
	c.tb.Helper()
	cmd := c.running[name]
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil && c.nodes[name].Program != "" {
		c.tb.Logf("%s, a program of another version, is stopped: %v", name, err)
	} else if err != nil {
		c.tb.Errorf("%s is stopped: %v", name, err)
	}
	delete(c.running, name)
}

// reported returns what the nodes have reported.
func (c *testCluster) reported() string {
	data, err := os.ReadFile(c.log.Name())
	if err != nil {
		c.tb.Error(err)
	}
	return string(data)
}

// pause stops a node for a while, without it knowing.
func (c *testCluster) pause(name string, d time.Duration) {
	p := c.running[name].Process
	_ = p.Signal(syscall.SIGSTOP)
	time.Sleep(d)
	_ = p.Signal(syscall.SIGCONT)
}

// await waits until a server of NATS takes part.
func (c *testCluster) await(name string) {
	c.tb.Helper()
	url := fmt.Sprintf("http://127.0.0.1:%d/healthz", c.nodes[name].HTTPPort)
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if answer, err := http.Get(url); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Since(begun) > patience {
			c.tb.Fatalf("%s does not take part", name)
		}
	}
}

// leader is the server of NATS that leads a stream; empty where nobody does.
func (c *testCluster) leader(ctx context.Context, stream string) string {
	conn, err := nats.Connect(join(c.urls))
	if err != nil {
		return ""
	}
	defer conn.Close()
	js, err := natsjs.New(conn)
	if err != nil {
		return ""
	}
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	s, err := js.Stream(ctx, stream)
	if err != nil || s.CachedInfo().Cluster == nil {
		return ""
	}
	return s.CachedInfo().Cluster.Leader
}

func (c *testCluster) end() {
	for _, name := range slices.Collect(mapKeys(c.running)) {
		c.kill(name)
	}
	_ = c.log.Close()
	if c.tb.Failed() {
		if data, err := os.ReadFile(c.log.Name()); err == nil {
			c.tb.Logf("what nodes reported:\n%s", data[max(0, len(data)-20000):])
		}
	}
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
