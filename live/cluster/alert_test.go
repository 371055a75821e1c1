package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// counter is a webhook that counts the notifications it gets. The address of a node's webhook ends
// with the name of the node.
type counter struct {
	*httptest.Server
	mu     sync.Mutex
	got    map[string]int // by receiver and key
	body   map[string][]byte
	lines  []string // first requests in order: receiver, incident, state, reason
	nodes  []string // nodes that have sent, in order
	wrong  []string
	before func(node string) // called for each request before it is answered
}

func newCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{got: map[string]int{}, body: map[string][]byte{}}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(r.URL.Path, "/")
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var n alert.Notification
	c.mu.Lock()
	if err := json.Unmarshal(data, &n); err != nil || n.Key == "" || n.Key != r.Header.Get(alert.KeyHeader) {
		c.wrong = append(c.wrong, fmt.Sprintf("header %q, field %q: %v", r.Header.Get(alert.KeyHeader), n.Key, err))
	}
	if was := c.body[n.Key]; was != nil && !bytes.Equal(was, data) {
		c.wrong = append(c.wrong, "two contents with the key "+n.Key)
	}
	c.body[n.Key] = data
	if c.got[parts[2]+" "+n.Key]++; c.got[parts[2]+" "+n.Key] == 1 {
		c.lines = append(c.lines, fmt.Sprintf("%s %s %s %s", parts[2], n.Incident, n.State, n.Reason))
	}
	c.nodes = append(c.nodes, parts[1])
	before := c.before
	c.mu.Unlock()
	if before != nil {
		before(parts[1])
	}
}

func (c *counter) list() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.lines)
}

// requests returns the number of all requests.
func (c *counter) requests() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.nodes)
}

// severed is a bus that a node can be cut off from.
type severed struct {
	cut atomic.Bool
}

// on returns a bus like the given one, until it is cut.
func (s *severed) on(b *bus.Bus) *bus.Bus {
	return &bus.Bus{Logs: severedLogs{b.Logs, s}, Leases: severedLeases{b.Leases, s}, Blobs: b.Blobs, LeaseTime: b.LeaseTime}
}

func (s *severed) err() error {
	if s.cut.Load() {
		return errCutOff
	}
	return nil
}

type severedLogs struct {
	bus.Logs
	of *severed
}

func (l severedLogs) Open(ctx context.Context, name string, keep time.Duration) (bus.Log, error) {
	log, err := l.Logs.Open(ctx, name, keep)
	return severedLog{log, l.of}, err
}

type severedLog struct {
	bus.Log
	of *severed
}

func (l severedLog) Append(ctx context.Context, records ...bus.Record) error {
	if err := l.of.err(); err != nil {
		return err
	}
	return l.Log.Append(ctx, records...)
}

func (l severedLog) Put(ctx context.Context, r bus.Record, last uint64) (uint64, error) {
	if err := l.of.err(); err != nil {
		return 0, err
	}
	return l.Log.Put(ctx, r, last)
}

type severedLeases struct {
	bus.Leases
	of *severed
}

func (l severedLeases) Acquire(ctx context.Context, key, owner string) (bus.Lease, error) {
	if err := l.of.err(); err != nil {
		return bus.Lease{}, err
	}
	return l.Leases.Acquire(ctx, key, owner)
}

func (l severedLeases) Renew(ctx context.Context, one bus.Lease) (bus.Lease, error) {
	if err := l.of.err(); err != nil {
		return one, err
	}
	return l.Leases.Renew(ctx, one)
}

func (l severedLeases) Release(ctx context.Context, one bus.Lease) error {
	if err := l.of.err(); err != nil {
		return err
	}
	return l.Leases.Release(ctx, one)
}

// teller is a node with an outbox.
type teller struct {
	*Gather
	severed
	out   *alert.Outbox
	leave func()
}

// teller starts a node that delivers to webhooks.
func (g *gathered) teller(name, dir string, c *counter, receivers ...string) *teller {
	g.Helper()
	one := &teller{}
	var to []alert.Address
	var list []alert.Receiver
	for _, r := range receivers {
		sender, err := alert.NewWebhook(alert.WebhookOptions{Options: post.Options{URL: c.URL + "/" + name + "/" + r}, Now: time.Now})
		if err != nil {
			g.Fatal(err)
		}
		list = append(list, alert.Receiver{Name: r})
		to = append(to, alert.Address{Receiver: alert.Receiver{Name: r}, Sender: sender})
	}
	var stop func()
	one.Gather, stop = g.nodeWith(dir, func(o *gatherOptions) {
		o.Node, o.Bus, o.Now, o.Alert.Receivers = name, one.on(g.bus), time.Now, list
		o.Alert.ResolveSeconds = 0
	})
	d := alert.DefaultDeliveryOptions()
	d.FirstRetry, d.LongestRetry, d.Grace, d.Turns = 5*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond, one.Turns()
	var err error
	if one.out, err = alert.StartOutbox(g.Context(), one.Ledger(), to, d); err != nil {
		g.Fatal(err)
	}
	var once sync.Once
	one.leave = func() {
		once.Do(func() {
			if err := one.out.Close(); err != nil {
				g.Error(err)
			}
			stop()
		})
	}
	g.Cleanup(one.leave)
	return one
}

// kill ends a node that cannot say anything more: it neither acknowledges nor releases its leases.
func (t *teller) kill() {
	t.cut.Store(true)
	t.leave()
}

// delivered reports whether a node knows that the receivers have everything.
func (t *teller) delivered() bool {
	left, err := t.Ledger().Undelivered(context.Background())
	return err == nil && len(left) == 0
}

func (g *gathered) slow(lun int) incident.Incident {
	return ledgertest.Slow(g.voice, lun, ledgertest.Began)
}

// calmLease is the time of a lease in tests in which no node dies. On a busy machine a shorter lease
// may expire by itself.
const calmLease = 4 * time.Second

// TestOneNotificationFromManyNodes: three nodes with the same two receivers send each notification
// once, in order. All nodes know what was delivered, and which node delivers. After a restart of
// all nodes nothing comes again, and an alert that fired before the restart resolves after it.
func TestOneNotificationFromManyNodes(t *testing.T) {
	t.Parallel()
	g := newGatheredOn(t, bus.NewLocal(time.Now, calmLease))
	c := newCounter(t)
	first, began, dir := g.stage.Names()[0], ledgertest.Began, t.TempDir()
	var nodes []*teller
	start := func() {
		nodes = nil
		for _, name := range []string{"one", "two", "three"} {
			nodes = append(nodes, g.teller(name, filepath.Join(dir, name), c, "pager", "tickets"))
		}
	}
	settled := func(n int) {
		t.Helper()
		await(t, fmt.Sprintf("%d notifications", n), func() bool { return len(c.list()) == n })
		for _, one := range nodes {
			await(t, "every node knows that all is delivered", one.delivered)
		}
		if got := c.requests(); got != n {
			t.Errorf("%d requests for %d notifications", got, n)
		}
	}
	start()
	g.event(first, began+60, incident.Opened, g.slow(1))
	g.event(first, began+60, incident.Opened, g.slow(2))
	g.event(first, began+120, incident.Clears, g.slow(1))
	settled(6)
	by := nodes[0].Turns().Node("pager")
	for _, one := range nodes {
		if got := one.Turns().Node("pager"); got == "" || got != by {
			t.Errorf("%s knows %q as the node that delivers, and another node knows %q", one.o.Node, got, by)
		}
		if one.Decides() == "" {
			t.Errorf("%s does not know which node decides", one.o.Node)
		}
	}
	for _, one := range nodes {
		one.leave()
	}
	start()
	g.event(first, began+180, incident.Mutes, g.slow(2))
	settled(8)
	for i, want := range []string{ledgertest.ID(1) + " firing began", ledgertest.ID(2) + " firing began", ledgertest.ID(1) + " resolved recovered", ledgertest.ID(2) + " resolved muted"} {
		for _, r := range []string{"pager", "tickets"} {
			got := slices.DeleteFunc(c.list(), func(line string) bool { return !strings.HasPrefix(line, r) })
			if got[i] != r+" "+want {
				t.Errorf("notification %d is %q, want %q", i+1, got[i], r+" "+want)
			}
		}
	}
	for key := range c.got {
		if _, key, _ := strings.Cut(key, " "); !strings.HasPrefix(key, g.stage.Identity+".") {
			t.Errorf("the key %s does not begin with the identity of the cluster, %s", key, g.stage.Identity)
		}
	}
	if len(c.wrong) > 0 {
		t.Error(c.wrong)
	}
}

// TestNotificationsSurviveKills: the node that sends is killed again and again, before or after the
// answer of the receiver, and before it can acknowledge. Every notification comes at least once, one
// comes again only with the same key and content, and at most once for each takeover.
func TestNotificationsSurviveKills(t *testing.T) {
	t.Parallel()
	const kills = 12
	g := newGatheredOn(t, bus.NewLocal(time.Now, 400*time.Millisecond))
	c := newCounter(t)
	rng := rand.New(rand.NewPCG(1, 12))
	first, began, dir := g.stage.Names()[0], ledgertest.Began, t.TempDir()
	victims := make(chan string)
	var armed atomic.Bool
	c.before = func(node string) {
		if armed.CompareAndSwap(true, false) {
			victims <- node
		}
	}
	nodes := map[string]*teller{}
	start := func(name string) { nodes[name] = g.teller(name, filepath.Join(dir, name), c, "pager") }
	for _, name := range []string{"one", "two", "three"} {
		start(name)
	}
	for i := range kills {
		armed.Store(true)
		at := began + int64(i)*60
		g.event(first, at, incident.Opened, g.slow(i))
		g.event(first, at+1, incident.Clears, g.slow(i))
		name := <-victims
		nodes[name].cut.Store(true) // the receiver has it, and the node cannot acknowledge
		if rng.IntN(2) == 0 {
			time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond) // the answer reaches the node
		}
		nodes[name].kill()
		if rng.IntN(2) == 0 {
			await(t, "another node takes over", func() bool { return len(c.list()) == 2*(i+1) })
		}
		start(name)
	}
	await(t, "everything is sent", func() bool { return len(c.list()) == 2*kills })
	for _, one := range nodes {
		await(t, "every node knows that all is delivered", one.delivered)
	}
	state := map[string]string{}
	for _, line := range c.list() {
		f := strings.Fields(line)
		if was := state[f[1]]; was == "" && f[2] != "firing" || was == "firing" && f[2] != "resolved" || was == "resolved" {
			t.Errorf("%s after %q", line, was)
		}
		state[f[1]] = f[2]
	}
	// A node of a busy machine may lose its lease without a kill, so the takeovers are counted.
	again, over := c.requests()-2*kills, g.takeovers(deliverSubject("pager"))
	if again < 1 || again > over {
		t.Errorf("%d requests came again, after %d kills and %d takeovers", again, kills, over)
	}
	if len(c.wrong) > 0 {
		t.Error(c.wrong)
	}
	t.Logf("%d kills, %d takeovers, %d notifications, %d requests", kills, over, len(c.list()), c.requests())
}

// takeovers returns how often another node began to write on a subject of the log of alerts.
func (g *gathered) takeovers(subject string) (n int) {
	g.Helper()
	log, err := g.bus.Logs.Open(g.Context(), AlertLog, 0)
	if err != nil {
		g.Fatal(err)
	}
	last, err := log.Last(g.Context(), subject)
	if err != nil {
		g.Fatal(err)
	}
	r, err := log.Read(g.Context(), 0)
	if err != nil {
		g.Fatal(err)
	}
	defer r.Close()
	for {
		one, err := r.Next(g.Context())
		if err != nil {
			g.Fatal(err)
		}
		if out, err := ParseOutput(one); err == nil && one.Subject == subject && out.Kind == ClaimKind {
			n++
		}
		if one.Seq == last.Seq {
			return n - 1
		}
	}
}

// deafLeases renew a lease without asking, as a node does that was paused and does not know that its
// lease has expired.
type deafLeases struct{ bus.Leases }

func (deafLeases) Renew(_ context.Context, l bus.Lease) (bus.Lease, error) { return l, nil }

// TestDeposedNodeCannotWrite: a node that does not know that another node has taken over can neither
// decide, nor begin a delivery, nor acknowledge one.
func TestDeposedNodeCannotWrite(t *testing.T) {
	t.Parallel()
	g := newGatheredOn(t, bus.NewLocal(time.Now, 200*time.Millisecond))
	paused, _ := g.nodeWith(filepath.Join(t.TempDir(), "paused"), func(o *gatherOptions) {
		b := *g.bus
		b.Leases = deafLeases{g.bus.Leases}
		o.Node, o.Bus, o.Alert.Receivers = "paused", &b, nil
	})
	other, _ := g.nodeWith(filepath.Join(t.TempDir(), "other"), func(o *gatherOptions) { o.Node = "other" })
	ctx := t.Context()
	was, err := paused.Turns().Take(ctx, "pager")
	if err != nil {
		t.Fatal(err)
	}
	list := []ledger.Delivery{{Receiver: "pager", Key: "key"}}
	if err := was.Begin(ctx, list); err != nil {
		t.Fatal(err)
	}
	now, err := other.Turns().Take(ctx, "pager")
	if err != nil {
		t.Fatal(err)
	}
	if was.Context().Err() != nil {
		t.Fatal("the node knows that its lease is lost: the test tests nothing")
	}
	if err := was.Begin(ctx, list); !errors.Is(err, ErrFenced) {
		t.Errorf("it begins a delivery: %v", err)
	}
	if was.Context().Err() == nil {
		t.Error("it does not notice")
	}
	if err := was.Settle(ctx, 1, false, list); !errors.Is(err, ErrFenced) {
		t.Errorf("it acknowledges: %v", err)
	}
	if err := now.Settle(ctx, 1, false, list); err != nil {
		t.Error(err)
	}
	was.End()
	now.End()
	await(t, "a node decides", func() bool { return other.Decides() == "other" })
	turn, err := paused.takeAlertTurn(ctx, "x", AlertMessage{})
	if err != nil {
		t.Fatal(err)
	}
	later, err := other.takeAlertTurn(ctx, "x", AlertMessage{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.write(ctx, decisionKind, AlertMessage{}); !errors.Is(err, ErrFenced) {
		t.Errorf("it decides: %v", err)
	}
	turn.End()
	later.End()
}

// TestDifferentReceivers: if nodes have different receivers, each receiver gets its notifications
// from a node that has it, and the nodes report the difference. A node without receivers leaves the
// decision to the others.
func TestDifferentReceivers(t *testing.T) {
	t.Parallel()
	g := newGatheredOn(t, bus.NewLocal(time.Now, calmLease))
	c := newCounter(t)
	none := g.teller("none", filepath.Join(t.TempDir(), "none"), c)
	one := g.teller("one", filepath.Join(t.TempDir(), "one"), c, "pager", "tickets")
	two := g.teller("two", filepath.Join(t.TempDir(), "two"), c, "mail", "pager")
	const want = "the nodes have different receivers of alerts: none has none; one has pager and tickets; two has mail and pager."
	for _, n := range []*teller{none, one, two} {
		await(t, "the difference is reported", func() bool {
			return slices.ContainsFunc(n.Result().Troubles, func(t announce.Trouble) bool { return t.Kind == "receivers" && strings.HasPrefix(t.Text, want) })
		})
	}
	await(t, "a node with receivers decides", func() bool { return one.Decides() == "one" || one.Decides() == "two" })
	g.event(g.stage.Names()[0], ledgertest.Began+60, incident.Opened, g.slow(1))
	await(t, "every receiver is notified", func() bool { return len(c.list()) == 3 })
	sent := c.list()
	slices.Sort(sent)
	began := " " + ledgertest.ID(1) + " firing began"
	if !slices.Equal(sent, []string{"mail" + began, "pager" + began, "tickets" + began}) || c.requests() != 3 {
		t.Errorf("%q in %d requests", sent, c.requests())
	}
	if a, b := none.Turns().Node("tickets"), none.Turns().Node("mail"); a != "one" || b != "two" {
		t.Errorf("tickets from %q, mail from %q", a, b)
	}

	o := one.o.Alert
	for _, n := range []*teller{none, one, two} {
		o.Receivers = []alert.Receiver{{Name: "pager"}}
		if err := n.SetAlerts(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []*teller{none, one, two} {
		await(t, "the difference is gone", func() bool {
			return !slices.ContainsFunc(n.Result().Troubles, func(t announce.Trouble) bool { return t.Kind == "receivers" })
		})
	}
	o.FireSeconds = 17
	if err := two.SetAlerts(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	await(t, "different settings are reported", func() bool {
		return slices.ContainsFunc(one.Result().Troubles, func(t announce.Trouble) bool {
			return t.Kind == "receivers" && strings.Contains(t.Text, "different alert settings")
		})
	})
}

// TestNotificationsFromBefore: what a ledger had not delivered before its node followed the log of
// alerts is delivered once, and the alerts that fired then resolve.
func TestNotificationsFromBefore(t *testing.T) {
	t.Parallel()
	g := newGatheredOn(t, bus.NewLocal(time.Now, calmLease))
	c := newCounter(t)
	first, began, dir := g.stage.Names()[0], ledgertest.Began, t.TempDir()
	g.event(first, began+60, incident.Opened, g.slow(1))
	// An earlier version decided on each node, and wrote into its ledger only.
	l, err := ledger.Open(t.Context(), filepath.Join(dir, "ledger.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	o := alert.DefaultOptions()
	o.FireSeconds, o.ResolveSeconds, o.QuietBefore, o.Receivers = 0, 0, 1, []alert.Receiver{{Name: "pager"}}
	a, err := alert.New(o, g.voice)
	if err != nil {
		t.Fatal(err)
	}
	err = l.Step(t.Context(), func(tx *ledger.Tx) error {
		if _, err := tx.Follow(g.stage.Identity, 1); err != nil {
			return err
		}
		e := ledgertest.Event(began+60, incident.Opened, g.slow(1))
		if _, err := tx.Event(1, e, g.voice); err != nil {
			return err
		}
		return a.Event(tx, 1, e)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	one := g.teller("one", dir, c, "pager")
	await(t, "the notification of before is sent", func() bool { return len(c.list()) == 1 })
	two := g.teller("two", filepath.Join(t.TempDir(), "two"), c, "pager")
	await(t, "the other node has it", two.delivered)
	one.leave()
	g.event(first, began+120, incident.Clears, g.slow(1))
	await(t, "its end is sent", func() bool { return len(c.list()) == 2 })
	await(t, "all is delivered", two.delivered)
	if c.requests() != 2 {
		t.Errorf("%d requests", c.requests())
	}
	var notes []alert.Notification
	for _, data := range c.body {
		var n alert.Notification
		if err := json.Unmarshal(data, &n); err != nil {
			t.Fatal(err)
		}
		notes = append(notes, n)
	}
	if notes[0].Alert != notes[1].Alert {
		t.Errorf("the end belongs to another alert: %s and %s", notes[0].Alert, notes[1].Alert)
	}
}

// TestNewNodeHasOldAlerts: the log drops old records, and still a new node knows the alerts that
// fire and what is not delivered: the node that decides writes both again.
func TestNewNodeHasOldAlerts(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	g := newGatheredOn(t, bus.NewLocal(now, 300*time.Millisecond))
	first, began := g.stage.Names()[0], ledgertest.Began
	aged := func(name string) func(*gatherOptions) {
		return func(o *gatherOptions) {
			o.Node, o.Now, o.LogRetention, o.Alert.ResolveSeconds = name, now, LogRetention{Rows: time.Hour, Output: 4 * time.Hour}, 0
		}
	}
	old, leave := g.nodeWith(filepath.Join(t.TempDir(), "old"), aged("old"))
	g.event(first, began+60, incident.Opened, g.slow(1))
	await(t, "the alert fires", func() bool { return len(g.firing(old.Ledger())) == 1 })
	log, err := g.bus.Logs.Open(t.Context(), AlertLog, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		last, err := log.Last(t.Context(), decideSubject)
		if err != nil {
			t.Fatal(err)
		}
		ahead.Add(int64(70 * time.Minute))
		await(t, "the state is written again", func() bool {
			next, err := log.Last(t.Context(), decideSubject)
			return err == nil && next.Seq > last.Seq+1 && old.alerts.position().Refreshed >= now().Add(-time.Minute).Unix()
		})
	}
	leave()
	r, err := log.Read(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if oldest, err := r.Next(t.Context()); err != nil || oldest.Seq == 1 {
		t.Fatalf("the log has dropped nothing: %d, %v", oldest.Seq, err)
	}
	fresh, _ := g.nodeWith(filepath.Join(t.TempDir(), "fresh"), aged("fresh"))
	await(t, "the new node has the notification", func() bool { return len(g.firing(fresh.Ledger())) == 1 })
	g.event(first, began+120, incident.Clears, g.slow(1))
	await(t, "the alert resolves", func() bool { return len(g.firing(fresh.Ledger())) == 2 })
	if keys := g.firing(fresh.Ledger()); keys[0] != keys[1] {
		t.Errorf("the end belongs to another alert: %v", keys)
	}
}

// TestForeignAlerts: records that no node writes, and records of another version, leave nothing in
// the ledger and stop nobody.
func TestForeignAlerts(t *testing.T) {
	t.Parallel()
	g := newGathered(t)
	var mu sync.Mutex
	var reports []string
	node, _ := g.nodeWith(filepath.Join(t.TempDir(), "state"), func(o *gatherOptions) {
		o.Report = func(s string) { mu.Lock(); reports = append(reports, s); mu.Unlock() }
	})
	await(t, "the node decides", func() bool { return node.Decides() == "node" })
	log, err := g.bus.Logs.Open(t.Context(), AlertLog, 0)
	if err != nil {
		t.Fatal(err)
	}
	note := func(change func(*Note)) AlertMessage {
		n := Note{Receivers: []string{receiver}, Key: "k", Time: ledgertest.Began, Payload: []byte(`{"key":"k"}`)}
		change(&n)
		return AlertMessage{Node: "x", Notes: []Note{n}}
	}
	list := [][]byte{nil, {alertVersion + 1, 1, 2}, {alertVersion, 1, 2}}
	for _, m := range []AlertMessage{
		{},
		{Node: strings.Repeat("x", maxNameBytes+1)},
		{Node: "x", Row: 1 << 60},
		{Node: "x", Alerts: []ledger.AlertChange{{Alert: ledger.Alert{ID: "a", State: []byte("no JSON")}}}},
		{Node: "x", Alerts: []ledger.AlertChange{{Alert: ledger.Alert{State: []byte("{}")}}}},
		note(func(n *Note) { n.Key = "" }),
		note(func(n *Note) { n.Receivers = nil }),
		note(func(n *Note) { n.Payload = []byte("no JSON") }),
		note(func(n *Note) { n.Payload = []byte(`{"key":"another"}`) }),
		note(func(n *Note) { n.Time = -1 }),
	} {
		data, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, data)
	}
	for i, data := range list {
		out := Output{Kind: leftKind, Data: data}
		if err := log.Append(t.Context(), bus.Record{Subject: "left-x", ID: fmt.Sprint(i), Data: out.encode()}); err != nil {
			t.Fatal(err)
		}
	}
	g.event(g.stage.Names()[0], ledgertest.Began+60, incident.Opened, g.slow(1))
	await(t, "the alert of the cluster comes through", func() bool { return len(g.firing(node.Ledger())) == 1 })
	if keys := g.firing(node.Ledger()); keys[0] != ledgertest.ID(1)+".1" {
		t.Errorf("the ledger has %v", keys)
	}
	mu.Lock()
	defer mu.Unlock()
	reports = slices.DeleteFunc(reports, func(s string) bool { return !strings.Contains(s, "log of alerts is left out") })
	if len(reports) != len(list) || !strings.Contains(reports[1], "another version") {
		t.Errorf("%d records are not valid, and the node reported %q", len(list), reports)
	}
}

// TestNewerAlerts: a node that reads a decision of a newer version reports it, and neither decides
// nor delivers. Its position stays before the record, so that it continues there after an upgrade.
func TestNewerAlerts(t *testing.T) {
	t.Parallel()
	g := newGathered(t)
	dir := filepath.Join(t.TempDir(), "state")
	log, err := g.bus.Logs.Open(t.Context(), AlertLog, 0)
	if err != nil {
		t.Fatal(err)
	}
	newer := Output{Kind: decisionKind, Fence: 1, Data: []byte{alertVersion + 1, 1}}
	if _, err := log.Put(t.Context(), bus.Record{Subject: decideSubject, Data: newer.encode()}, 0); err != nil {
		t.Fatal(err)
	}
	node, _ := g.node(dir)
	await(t, "the newer version is reported", func() bool {
		return slices.ContainsFunc(node.Result().Troubles, func(t announce.Trouble) bool {
			return t.Kind == "alerts" && strings.Contains(t.Text, "upgrade this node")
		})
	})
	g.event(g.stage.Names()[0], ledgertest.Began+60, incident.Opened, g.slow(1))
	g.awaitEvent(node.Ledger())
	within, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	if turn, err := node.Turns().Take(within, receiver); err == nil {
		t.Errorf("the node may deliver: %v", turn)
	}
	if keys := g.firing(node.Ledger()); len(keys) > 0 || node.alerts.position().At != 0 {
		t.Errorf("the node has decided %v, and is at record %d", keys, node.alerts.position().At)
	}
}

// TestLostAlertLog: if NATS has lost the log of alerts, the nodes write what their ledgers have into
// a new log. What was acknowledged is not sent again, and alerts that fire resolve.
func TestLostAlertLog(t *testing.T) {
	t.Parallel()
	b := bus.NewLocal(time.Now, calmLease)
	g := newGatheredOn(t, b)
	c := newCounter(t)
	first, began, dir := g.stage.Names()[0], ledgertest.Began, t.TempDir()
	one := g.teller("one", dir, c, "pager")
	g.event(first, began+60, incident.Opened, g.slow(1))
	await(t, "it is sent", func() bool { return len(c.list()) == 1 && one.delivered() })
	one.leave()
	g.bus = &bus.Bus{Logs: renamedLogs{b.Logs}, Leases: b.Leases, Blobs: b.Blobs, LeaseTime: b.LeaseTime}
	one = g.teller("one", dir, c, "pager")
	two := g.teller("two", filepath.Join(t.TempDir(), "two"), c, "pager")
	g.event(first, began+120, incident.Clears, g.slow(1))
	await(t, "the end is sent", func() bool { return len(c.list()) == 2 && one.delivered() && two.delivered() })
	if c.requests() != 2 {
		t.Errorf("%d requests", c.requests())
	}
}

// renamedLogs have an empty log of alerts.
type renamedLogs struct{ bus.Logs }

func (l renamedLogs) Open(ctx context.Context, name string, keep time.Duration) (bus.Log, error) {
	if name == AlertLog {
		name = "new " + name
	}
	return l.Logs.Open(ctx, name, keep)
}

// TestDecisionsAsOnOneNode: with waits, summaries, suspects, a mute and a part that becomes a part of
// another incident, a cluster makes the notifications that one ledger makes, although another node
// decides after each step.
func TestDecisionsAsOnOneNode(t *testing.T) {
	t.Parallel()
	g := newGatheredOn(t, bus.NewLocal(time.Now, calmLease))
	first, began := g.stage.Names()[0], ledgertest.Began
	o := alert.DefaultOptions()
	o.FireSeconds, o.ResolveSeconds, o.MostPerPeriod, o.PeriodSeconds, o.Suspects, o.QuietBefore = 60, 120, 2, 600, true, 1
	o.Receivers = []alert.Receiver{{Name: receiver}, {Name: "groups", Groups: true}, {Name: "urgent", Least: alert.Critical}}
	alone, err := alert.New(o, g.voice)
	if err != nil {
		t.Fatal(err)
	}
	want := ledgertest.Open(t)
	into := g.slow(2)
	into.Phase, into.Ending, into.Into = incident.Cleared, incident.Merged, ledgertest.ID(1)
	suspect := ledgertest.Suspect(g.voice, 7, began)
	seq, dir := int64(0), t.TempDir()
	for i, s := range []struct {
		events   []*incident.Event
		suspects []engine.Suspect
	}{
		{events: []*incident.Event{g.change(0, incident.Opened, g.slow(1)), g.change(0, incident.Opened, g.slow(2)), g.change(0, incident.Opened, g.slow(3)), g.change(0, incident.Opened, g.slow(4))}},
		{suspects: []engine.Suspect{suspect}}, // four alerts fire, two of them in a summary to come
		{events: []*incident.Event{g.change(2, incident.Recovers, g.slow(1))}, suspects: []engine.Suspect{suspect}},
		{events: []*incident.Event{g.change(3, incident.Changed, into)}, suspects: []engine.Suspect{suspect}},
		{events: []*incident.Event{g.change(4, incident.Mutes, g.slow(3))}},
		{events: []*incident.Event{g.change(5, incident.Opened, g.slow(5))}},
		{},
		{},
		{},
		{},
		{},
		{},
		{}, // the periods end
		{events: []*incident.Event{g.change(13, incident.Clears, g.slow(4)), g.change(13, incident.Clears, g.slow(5))}},
		{},
		{},
		{},
	} {
		row := began + 60*int64(i+1)
		node, leave := g.nodeWith(filepath.Join(dir, fmt.Sprint(i%3)), func(n *gatherOptions) { n.Node, n.Alert, n.TickSeconds = fmt.Sprint(i%3), o, 60 })
		for _, e := range s.events {
			seq++
			err := want.Step(t.Context(), func(tx *ledger.Tx) error { return alone.Event(tx, seq, e) })
			if err != nil {
				t.Fatal(err)
			}
			g.event(first, e.Time, e.Change, *e.Incident)
		}
		if err := want.Step(t.Context(), func(tx *ledger.Tx) error { return alone.Tick(tx, row, s.suspects) }); err != nil {
			t.Fatal(err)
		}
		await(t, "the node has decided on the events", func() bool {
			log, err := g.bus.Logs.Open(t.Context(), OutputLog, 0)
			if err != nil {
				return false
			}
			last, err := log.Last(t.Context(), first)
			return err == nil && node.decided.Load() >= last.Seq && node.Decides() == node.o.Node
		})
		for _, name := range g.stage.Names() {
			v := View{Row: row, Summary: engine.Summary{From: began, To: row}}
			if name == first {
				v.Summary.Suspects = s.suspects
			}
			data, err := Encode(v)
			if err == nil {
				err = g.bus.Blobs.Put(t.Context(), ViewName(name), data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		await(t, "the node has decided on the row", func() bool { return node.decidedRow.Load() >= row })
		for _, r := range o.Receivers {
			if got, all := g.notes(node.Ledger(), r.Name), g.notes(want, r.Name); !slices.Equal(got, all) {
				t.Fatalf("after step %d %s has\n%s\nand with one ledger\n%s", i, r.Name, strings.Join(got, "\n"), strings.Join(all, "\n"))
			}
		}
		leave()
	}
	for _, part := range []string{"more 3", "Muted by an operator", "merged", "recovered", "LimpetSuspect"} {
		if all := strings.Join(g.notes(want, receiver), "\n"); !strings.Contains(all, part) {
			t.Errorf("there is no %q in\n%s", part, all)
		}
	}
}

func (g *gathered) change(step int64, change incident.Change, in incident.Incident) *incident.Event {
	return ledgertest.Event(ledgertest.Began+60*step+30, change, in)
}

// notes are the notifications for a receiver, without their keys and documents.
func (g *gathered) notes(l *ledger.Ledger, receiver string) (lines []string) {
	g.Helper()
	queue, err := l.Queue(g.Context(), receiver, 1000)
	if err != nil {
		g.Fatal(err)
	}
	for i := range queue {
		var n alert.Notification
		if err := json.Unmarshal(queue[i].Payload, &n); err != nil {
			g.Fatal(err)
		}
		part := strings.Split(n.Key, ".")
		lines = append(lines, fmt.Sprintf("%s %s %s %s at %d since %d until %d, number %s, more %d %v, into %q, %s", n.Labels["alertname"], n.Incident, n.State, n.Reason,
			n.Time.Unix(), n.Starts.Unix(), n.Ends.Unix(), part[len(part)-2], n.More, n.Titles, n.Into, n.Headline))
	}
	return lines
}
