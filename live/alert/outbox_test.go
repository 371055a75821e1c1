package alert_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// receiver is a receiver in this process that can be down.
type receiver struct {
	manner alert.Policy

	mu       sync.Mutex
	down     error
	hangs    bool
	attempts int
	got      []string // "firing ec080001.1"
	firing   []string // number of firing alerts, by reminder
}

func (r *receiver) Policy() alert.Policy { return r.manner }

func (r *receiver) Send(ctx context.Context, b alert.Batch) error {
	r.mu.Lock()
	hangs := r.hangs
	r.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.attempts++; r.down != nil {
		return r.down
	}
	for _, n := range b.New {
		r.got = append(r.got, fmt.Sprintf("%s %s", n.State, n.Alert))
	}
	if len(b.New) == 0 {
		r.firing = append(r.firing, fmt.Sprint(len(b.Firing)))
	}
	return nil
}

func (r *receiver) set(down error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down = down
}

func (r *receiver) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.got, ", ")
}

// counts returns the numbers of attempts, of notifications and of reminders.
func (r *receiver) counts() (attempts, told int, reminded []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attempts, len(r.got), slices.Clone(r.firing)
}

// single accepts one notification at a time.
func single() *receiver { return &receiver{manner: alert.Policy{MaxBatch: 1}} }

// site is a ledger with an alerter whose alerts fire at once.
type site struct {
	t   *testing.T
	l   *ledger.Ledger
	a   *alert.Alerter
	seq int64
}

func newSite(t *testing.T, l *ledger.Ledger, names ...string) *site {
	t.Helper()
	o := alert.DefaultOptions()
	o.FireSeconds, o.ResolveSeconds, o.MostPerPeriod = 0, 0, 1000
	for _, name := range names {
		o.Receivers = append(o.Receivers, alert.Receiver{Name: name})
	}
	a, err := alert.New(o, ledgertest.SentenceWriter())
	if err != nil {
		t.Fatal(err)
	}
	return &site{t: t, l: l, a: a}
}

// say writes a change of the incident at a LUN.
func (s *site) say(change incident.Change, lun int) {
	s.t.Helper()
	s.seq++
	v := ledgertest.SentenceWriter()
	e := ledgertest.Event(ledgertest.Began+s.seq, change, ledgertest.Slow(v, lun, ledgertest.Began))
	err := s.l.Step(context.Background(), func(tx *ledger.Tx) error {
		if _, err := tx.Event(s.seq, e, v); err != nil {
			return err
		}
		return s.a.Event(tx, s.seq, e)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func start(t *testing.T, l *ledger.Ledger, to map[string]alert.Sender) *alert.Outbox {
	t.Helper()
	var list []alert.Address
	for name, r := range to {
		list = append(list, alert.Address{Receiver: alert.Receiver{Name: name}, Sender: r})
	}
	o := alert.DefaultDeliveryOptions()
	o.Grace = grace
	b, err := alert.StartOutbox(context.Background(), l, list, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const grace = 300 * time.Millisecond

var errDown = errors.New("connection refused")

func TestReceiverDownForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ledgertest.Open(t)
		s, r := newSite(t, l, "hook"), single()
		r.set(errDown)
		b := start(t, l, map[string]alert.Sender{"hook": r})
		var want []string
		for n := range 30 {
			s.say(incident.Opened, n)
			s.say(incident.Clears, n)
			want = append(want, fmt.Sprintf("firing %s.%d", ledgertest.ID(n), 2*n+1), fmt.Sprintf("resolved %s.%d", ledgertest.ID(n), 2*n+1))
			time.Sleep(2 * time.Minute)
		}
		status, err := b.Status(t.Context())
		if err != nil || status[0].Queued != 60 || !strings.Contains(status[0].Trouble, "Since 2000-01-01 00:00:00Z, notifications to receiver hook have failed: connection refused.") {
			t.Errorf("while it is down: %+v, %v", status, err)
		}
		if n, _, _ := r.counts(); n < 60 || n > 150 {
			t.Errorf("in an hour it was tried %d times, want about once a minute", n)
		}
		r.set(nil)
		time.Sleep(time.Minute)
		if got := r.said(); got != strings.Join(want, ", ") {
			t.Errorf("when it is back it is told\n%s\nwant\n%s", got, strings.Join(want, ", "))
		}
		time.Sleep(24 * time.Hour)
		if _, n, _ := r.counts(); n != 60 {
			t.Errorf("a day later it was told %d notifications, want 60", n)
		}
		if status, _ := b.Status(t.Context()); status[0].Queued != 0 || status[0].Trouble != "" || status[0].Last.IsZero() {
			t.Errorf("when it is back: %+v", status)
		}
		b.Close()
		l.Close()
	})
}

func TestDeliveriesSurviveRestarts(t *testing.T) {
	l := ledgertest.Open(t)
	s, r := newSite(t, l, "hook"), single()
	r.set(errDown)
	b := start(t, l, map[string]alert.Sender{"hook": r})
	s.say(incident.Opened, 1)
	b.Close()
	r.set(nil)
	b = start(t, l, map[string]alert.Sender{"hook": r})
	eventuallyOutbox(t, func() bool { return r.said() == "firing ec080001.1" })
	b.Close()
	b = start(t, l, map[string]alert.Sender{"hook": r})
	s.say(incident.Clears, 1)
	eventuallyOutbox(t, func() bool { return r.said() == "firing ec080001.1, resolved ec080001.1" })
	b.Close()
	if status, err := b.Status(t.Context()); err != nil || status[0].Queued != 0 {
		t.Errorf("at the end: %+v, %v", status, err)
	}
}

// A receiver that is down, or hangs, delays no other.
func TestReceiversAreApart(t *testing.T) {
	l := ledgertest.Open(t)
	s, down, hangs, up := newSite(t, l, "down", "hangs", "up"), single(), single(), single()
	down.set(errDown)
	hangs.hangs = true
	b := start(t, l, map[string]alert.Sender{"down": down, "hangs": hangs, "up": up})
	s.say(incident.Opened, 1)
	s.say(incident.Clears, 1)
	eventuallyOutbox(t, func() bool { return up.said() == "firing ec080001.1, resolved ec080001.1" })
	begin := time.Now()
	b.Close()
	if took := time.Since(begin); took < grace || took > time.Minute {
		t.Errorf("Close took %v, want the grace of %v for the one that hangs", took, grace)
	}
}

func eventuallyOutbox(t *testing.T, is func() bool) {
	t.Helper()
	for range 6000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not come to that within a minute")
}

// A receiver that groups alerts is reminded of a firing alert until the alert is over.
func TestReminders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ledgertest.Open(t)
		s := newSite(t, l, "manager")
		r := &receiver{manner: alert.Policy{MaxBatch: 1000, RemindEvery: time.Minute}}
		b := start(t, l, map[string]alert.Sender{"manager": r})
		s.say(incident.Opened, 1)
		s.say(incident.Opened, 2)
		time.Sleep(10*time.Minute + 30*time.Second)
		if _, _, got := r.counts(); strings.Join(got, " ") != "2 2 2 2 2 2 2 2 2 2" {
			t.Errorf("in ten minutes it was reminded of %q", got)
		}
		s.say(incident.Clears, 1)
		s.say(incident.Clears, 2)
		time.Sleep(10 * time.Minute)
		if _, _, got := r.counts(); len(got) != 10 {
			t.Errorf("after the end it was reminded %d times more", len(got)-10)
		}
		if got := r.said(); got != "firing ec080001.1, firing ec080002.2, resolved ec080001.1, resolved ec080002.2" {
			t.Errorf("it was told %s", got)
		}
		b.Close()
		l.Close()
	})
}

// A notification that a receiver calls malformed does not block the others for ever.
func TestARefusalIsSetAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ledgertest.Open(t)
		s, r := newSite(t, l, "hook"), single()
		r.set(&alert.Refusal{Err: errors.New("400 Bad Request")})
		b := start(t, l, map[string]alert.Sender{"hook": r})
		s.say(incident.Opened, 1)
		time.Sleep(30 * time.Minute)
		s.say(incident.Opened, 2)
		time.Sleep(45 * time.Minute)
		if status, _ := b.Status(t.Context()); status[0].Queued != 1 || !strings.Contains(status[0].Trouble, "400 Bad Request") {
			t.Errorf("after an hour: %+v", status)
		}
		r.set(nil)
		time.Sleep(2 * time.Minute)
		if got := r.said(); got != "firing ec080002.2" {
			t.Errorf("the rest is %s", got)
		}
		b.Close()
		l.Close()
	})
}

// An acknowledgement that could not be stored on a full disk is stored later, and the notification is
// not sent again.
func TestAcknowledgedOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a small tmpfs")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	l, err := ledger.Open(t.Context(), filepath.Join(dir, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, r := newSite(t, l, "hook"), single()
	r.set(errDown)
	b := start(t, l, map[string]alert.Sender{"hook": r})
	s.say(incident.Opened, 1)
	s.say(incident.Opened, 2)
	ballast := filepath.Join(dir, "ballast")
	os.WriteFile(ballast, make([]byte, 2<<20), 0o600)
	r.set(nil)
	eventuallyOutbox(t, func() bool {
		status, err := b.Status(t.Context())
		return err == nil && strings.Contains(status[0].Trouble, "cannot save which notifications")
	})
	if got := r.said(); got != "firing ec080001.1" {
		t.Errorf("before the first is noted it is told %s", got)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	eventuallyOutbox(t, func() bool { return r.said() == "firing ec080001.1, firing ec080002.2" })
	b.Close()
	if n, _, err := l.Queued(t.Context(), "hook"); err != nil || n != 0 {
		t.Errorf("%d are queued, %v", n, err)
	}
}

// The undelivered notifications of a receiver that was removed from the configuration are dropped.
func TestReceiversThatAreGone(t *testing.T) {
	l := ledgertest.Open(t)
	s, r := newSite(t, l, "old", "new"), single()
	s.say(incident.Opened, 1)
	b := start(t, l, map[string]alert.Sender{"new": r})
	defer b.Close()
	eventuallyOutbox(t, func() bool { return r.said() == "firing ec080001.1" })
	if n, _, err := l.Queued(t.Context(), "old"); err != nil || n != 0 {
		t.Errorf("%d are queued for nobody, %v", n, err)
	}
}

func postTo(url string) post.Options { return post.Options{URL: url} }
