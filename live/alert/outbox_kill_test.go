package alert_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// The child is a server in a process of its own, which is killed. It makes up events and delivers
// their notifications to the parent.
const (
	childLedger = "LIMPET_TEST_LEDGER"
	childHook   = "LIMPET_TEST_HOOK"
	childEvents = "LIMPET_TEST_EVENTS"
	killsWanted = "LIMPET_TEST_KILLS"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childLedger); path != "" {
		if err := serve(path, os.Getenv(childHook)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// replayed is the number of events that come again after a crash: a snapshot is older than the
// ledger.
const replayed = 12

// serve plays the tape from a snapshot before the last event on, and delivers.
func serve(path, hook string) error {
	ctx := context.Background()
	events, err := strconv.Atoi(os.Getenv(childEvents))
	if err != nil {
		return err
	}
	l, err := ledger.Open(ctx, path)
	if err != nil {
		return err
	}
	to, err := alert.NewWebhook(alert.WebhookOptions{Options: postTo(hook), Now: time.Now})
	if err != nil {
		return err
	}
	b, err := alert.StartOutbox(ctx, l, []alert.Address{{Receiver: alert.Receiver{Name: "hook"}, Sender: to}}, alert.DefaultDeliveryOptions())
	if err != nil {
		return err
	}
	fmt.Println("ready")
	v, o := ledgertest.SentenceWriter(), alert.DefaultOptions()
	o.FireSeconds, o.ResolveSeconds, o.MostPerPeriod, o.Receivers = 0, 0, 1000, []alert.Receiver{{Name: "hook"}}
	a, err := alert.New(o, v)
	if err != nil {
		return err
	}
	for n := max(l.LastEvent()-replayed, 0); n < int64(events); n++ {
		change := []incident.Change{incident.Opened, incident.Clears}[n%2]
		e := ledgertest.Event(ledgertest.Began+n, change, ledgertest.Slow(v, int(n/2), ledgertest.Began+n/2*2))
		err := l.Step(ctx, func(tx *ledger.Tx) error {
			isNew, err := tx.Event(n+1, e, v)
			if err != nil || !isNew {
				return err
			}
			return a.Event(tx, n+1, e)
		})
		if err != nil {
			return err
		}
	}
	for {
		changed := l.Changed()
		if n, _, err := l.Queued(ctx, "hook"); err != nil || n == 0 {
			b.Close()
			return err
		}
		<-changed
	}
}

// book is what a receiver has received.
type book struct {
	mu    sync.Mutex
	keys  []string          // in order of arrival
	told  map[string]string // content by key
	wrong []string
}

func (b *book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var n alert.Notification
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil || n.Key != r.Header.Get(alert.KeyHeader) {
		b.wrong = append(b.wrong, fmt.Sprintf("%s: %v", n.Key, err))
	}
	b.keys, b.told[n.Key] = append(b.keys, n.Key), fmt.Sprintf("%s %s", n.State, n.Incident)
}

func (b *book) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.keys)
}

// TestKilledBetweenCommitAndDelivery kills the server at random: nothing is lost,
// nothing is out of order, and nothing that was acknowledged and noted comes again.
func TestKilledBetweenCommitAndDelivery(t *testing.T) {
	kills := 30 // make kill-alerts does a thousand
	if n, err := strconv.Atoi(os.Getenv(killsWanted)); err == nil {
		kills = n
	}
	b := &book{told: map[string]string{}}
	server := httptest.NewServer(b)
	defer server.Close()
	path := filepath.Join(t.TempDir(), "ledger.db")
	events, chance := 10*kills, rand.New(rand.NewPCG(18, 3))
	child := func() (*exec.Cmd, func()) {
		c := exec.Command(os.Args[0], "-test.run=^$")
		c.Env = append(os.Environ(), childLedger+"="+path, childHook+"="+server.URL, childEvents+"="+strconv.Itoa(events))
		c.Stderr = os.Stderr
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, func() { bufio.NewReader(out).ReadString('\n') }
	}
	doubled, lives := 0, 0
	for done := 0; done < kills; lives++ {
		noted, before := acknowledged(t, path, b.heard())
		c, ready := child()
		ready()
		time.Sleep(time.Duration(chance.IntN(12_000)) * time.Microsecond)
		c.Process.Kill()
		c.Wait()
		if c.ProcessState.ExitCode() < 0 {
			done++
		}
		for _, key := range b.heard()[before:] {
			if noted[key] {
				t.Errorf("%s was acknowledged and noted, and sent again", key)
			}
		}
		if lives > 3*kills {
			t.Fatalf("after %d lives only %d were killed", lives, done)
		}
	}
	c, _ := child()
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, key := range b.heard() {
		if said := b.told[key]; !slices.Contains(order, said) {
			order = append(order, said)
		} else {
			doubled++
		}
	}
	var want []string
	for n := range events / 2 {
		want = append(want, "firing "+ledgertest.ID(n), "resolved "+ledgertest.ID(n))
	}
	if !slices.Equal(order, want) || len(b.told) != events || len(b.wrong) > 0 {
		t.Errorf("%d of %d were told under %d keys, wrong are %s\n%s", len(order), events, len(b.told), b.wrong, strings.Join(order, ", "))
	}
	t.Logf("%d kills, %d notifications, %d of them sent twice: killed between the answer and its note", kills, events, doubled)
	if doubled > kills {
		t.Errorf("%d notifications came twice after %d kills", doubled, kills)
	}
}

// acknowledged returns the notifications that were received and that the ledger has as acknowledged.
func acknowledged(t *testing.T, path string, heard []string) (noted map[string]bool, count int) {
	t.Helper()
	l, err := ledger.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	queue, err := l.Queue(t.Context(), "hook", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	noted = map[string]bool{}
	for _, key := range heard {
		noted[key] = true
	}
	for _, d := range queue {
		delete(noted, d.Key)
	}
	return noted, len(heard)
}
