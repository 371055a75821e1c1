package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/watch"
)

// tellers is the number of nodes that send notifications, and hooks the number of receivers. Every
// teller has all receivers.
const tellers, hooks = 3, 8

func hookName(i int) string { return fmt.Sprintf("hook%d", i+1) }

// tell is a node that shows the whole cluster and sends notifications. Its receivers are webhooks
// whose addresses end with the names of the node and of the receiver.
func tell(ctx context.Context, b *bus.Bus, t *node, report func(string)) (*cluster.Node, *alert.Outbox, error) {
	o := cluster.DefaultOptions()
	o.NATS.Node, o.Roles, o.Partitions, o.Plots = t.Name, []cluster.Role{cluster.RoleAPI}, partitions, false
	w := watch.DefaultOptions()
	w.StateDir, w.System, w.StepSeconds, w.Now, w.Report, w.Warn, w.NewLedger = t.Dir, system(), stepSeconds, time.Now, report, report, t.NewLedger
	// Without waits, the events alone decide what is sent. So it can be compared with another run.
	w.Alert.FireSeconds, w.Alert.ResolveSeconds, w.Alert.MostPerPeriod, w.Alert.QuietBefore = 0, 0, 100000, 1
	var to []alert.Address
	for i := range hooks {
		r := alert.Receiver{Name: hookName(i)}
		sender, err := alert.NewWebhook(alert.WebhookOptions{Options: post.Options{URL: t.Hook + "/" + t.Name + "/" + r.Name}, Now: time.Now})
		if err != nil {
			return nil, nil, err
		}
		w.Alert.Receivers, to = append(w.Alert.Receivers, r), append(to, alert.Address{Receiver: r, Sender: sender})
	}
	n, err := cluster.Join(ctx, o, w, b, func() {})
	if err != nil {
		return nil, nil, err
	}
	d := alert.DefaultDeliveryOptions()
	d.FirstRetry, d.LongestRetry, d.Turns = 100*time.Millisecond, time.Second, n.Turns()
	out, err := alert.StartOutbox(ctx, n.Ledger(), to, d)
	return n, out, err
}

func (n *node) runTeller(ctx context.Context) error {
	c, err := n.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	one, out, err := tell(ctx, c.Bus, n, n.report)
	if err != nil {
		return err
	}
	err = one.Run(ctx)
	_ = out.Close()
	_ = one.Close()
	return err
}

// hook is a webhook that counts what it gets.
type hook struct {
	*httptest.Server
	armed   chan bool   // a value: the sender of the next request is killed; true: after the answer
	victims chan string // names of senders that are to be killed
	killed  chan struct{}

	mu    sync.Mutex
	flaky *rand.Rand     // decides which requests are refused; nil: none
	got   map[string]int // by receiver and key: number of requests
	order map[string][]string
	body  map[string][]byte // by key
	wrong []string
	at    time.Time // of the last request
}

func newHook(tb testing.TB) *hook {
	h := &hook{armed: make(chan bool, 1), victims: make(chan string), killed: make(chan struct{}), got: map[string]int{}, order: map[string][]string{}, body: map[string][]byte{}}
	h.Server = httptest.NewServer(h)
	tb.Cleanup(h.Close)
	return h
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(r.URL.Path, "/")
	data, err := io.ReadAll(r.Body)
	if err != nil || len(parts) != 3 {
		return // the sender was killed while it sent
	}
	if h.refuses() {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	h.take(parts[2], r.Header.Get(alert.KeyHeader), data)
	select {
	case answered := <-h.armed:
		if answered {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
		}
		h.victims <- parts[1]
		<-h.killed
	default:
	}
}

// refuses reports whether a request is refused for now. Three of four are, so that deliveries take
// a while and kills come in between.
func (h *hook) refuses() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.flaky != nil && h.flaky.IntN(4) > 0
}

func (h *hook) take(receiver, key string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = time.Now()
	var n alert.Notification
	if err := json.Unmarshal(data, &n); err != nil || n.Key != key || key == "" {
		h.wrong = append(h.wrong, fmt.Sprintf("header %q, field %q, %v", key, n.Key, err))
		return
	}
	if was := h.body[key]; was != nil && !bytes.Equal(was, data) {
		h.wrong = append(h.wrong, "two contents with the key "+key)
	}
	h.body[key] = data
	h.got[receiver+" "+key]++
	if h.got[receiver+" "+key] == 1 {
		part := strings.Split(key, ".")
		h.order[receiver] = append(h.order[receiver], fmt.Sprintf("%s %s %s %s", n.Incident, part[len(part)-2], n.State, n.Reason))
	}
}

// counts are the numbers of requests, and of notifications: one for each receiver that gets it.
func (h *hook) counts() (requests, notifications int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, n := range h.got {
		requests += n
	}
	return requests, len(h.got)
}

// list is what a receiver got, without order and without doubles.
func (h *hook) list(receiver string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(slices.Values(h.order[receiver]))
}

// check compares what came with what came where nothing was killed. A receiver may get a
// notification again at most once for each time that another node began to deliver to it.
func (h *hook) check(tb testing.TB, want *hook, takeovers map[string]int) {
	tb.Helper()
	for i := range hooks {
		name := hookName(i)
		if got, all := h.list(name), want.list(name); !slices.Equal(got, all) {
			tb.Errorf("%s got %d notifications, want %d; lost or changed: %v; not wanted: %v", name, len(got), len(all), without(all, got), without(got, all))
		}
		h.checkOrder(tb, name)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.wrong) > 0 {
		tb.Errorf("wrong requests: %v", h.wrong)
	}
	again := map[string]int{}
	for key, n := range h.got {
		receiver, _, _ := strings.Cut(key, " ")
		again[receiver] += n - 1
	}
	for _, receiver := range slices.Sorted(maps.Keys(again)) {
		if again[receiver] > takeovers[receiver] {
			tb.Errorf("%d requests came again to %s, and another node began to deliver %d times", again[receiver], receiver, takeovers[receiver])
		}
	}
}

// deliveryTakeovers returns how often another node began to deliver, by receiver.
func deliveryTakeovers(ctx context.Context, tb testing.TB, b *bus.Bus) (by map[string]int, all int) {
	tb.Helper()
	log, err := b.Logs.Open(ctx, cluster.AlertLog, cluster.DefaultLogRetention().Output)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := log.Read(ctx, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	by = map[string]int{}
	for {
		one, stop := context.WithTimeout(ctx, leaseTime) // all is delivered, so a pause is the end
		record, err := r.Next(one)
		stop()
		if err != nil {
			break
		}
		out, m, err := cluster.ParseAlert(record)
		if err != nil {
			tb.Errorf("record %d of the log of alerts: %v", record.Seq, err)
		}
		if out.Kind == cluster.ClaimKind && m.Receiver != "" {
			by[m.Receiver]++
		}
	}
	for receiver := range by {
		by[receiver]--
		all += by[receiver]
	}
	return by, all
}

// checkOrder fails if a receiver got the notifications of an incident in another order than they
// were made in.
func (h *hook) checkOrder(tb testing.TB, receiver string) {
	tb.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	state := map[string]string{}
	for _, line := range h.order[receiver] {
		f := strings.Fields(line)
		if was := state[f[0]]; was == "" && f[2] != "firing" || was == "resolved" && f[2] != "firing" {
			tb.Errorf("%s got %q after %q", receiver, line, was)
		}
		state[f[0]] = f[2]
	}
}

func without(list, other []string) (rest []string) {
	for _, one := range list {
		if !slices.Contains(other, one) {
			rest = append(rest, one)
		}
	}
	return rest
}

// toldAlone returns a webhook with what one node sends that nobody kills. All events are on the bus.
func toldAlone(tb testing.TB, b *bus.Bus) *hook {
	tb.Helper()
	h := newHook(tb)
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	n, out, err := tell(ctx, b, &node{Name: "alone", Dir: filepath.Join(tb.TempDir(), "alone"), Hook: h.URL}, func(s string) { tb.Log(s) })
	if err != nil {
		tb.Fatal(err)
	}
	running, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() {
		if err := n.Run(running); err != nil {
			tb.Error(err)
		}
	})
	quiet := func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return !h.at.IsZero() && time.Since(h.at) > 3*time.Second
	}
	for !quiet() {
		time.Sleep(100 * time.Millisecond)
		if ctx.Err() != nil {
			tb.Fatal("nothing is sent in time")
		}
	}
	end()
	all.Wait()
	_ = out.Close()
	_ = n.Close()
	return h
}
