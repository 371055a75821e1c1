package torture

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/watch"
)

var (
	kills = flag.Int("kills", 0, "times that a node of the cluster is killed")
	seed  = flag.Uint64("seed", 1, "of what is killed when")
	harms = flag.Int("harms", 10, "every how many kills a file of the killed node is damaged; 0: never")
)

// within is how soon after a takeover everything has to be said.
const within = time.Minute

// TestKilledCluster: whatever is killed, what is said is what one process says in which
// nothing is killed, none of it twice, and none of it late. Every receiver gets every
// notification; one comes again only with the same key, and only where its sender was killed.
func TestKilledCluster(t *testing.T) {
	if *kills == 0 {
		t.Skip("kills twelve processes and counts seconds: it needs a machine that does nothing else: make kill-cluster, or -kills 3")
	}
	const everySeconds = 1.5 // between two kills
	hours := 3.0
	w := newWorld(t, hours)
	want, alone := oneProcess(t, w)
	want.checkNumbers(t)
	if want.events() < 15 {
		t.Fatalf("only %d events are to be heard", want.events())
	}
	told := toldAlone(t, alone)
	if _, n := told.counts(); n < 15*hooks {
		t.Fatalf("only %d notifications are to be sent", n)
	}
	hook := newHook(t)
	hook.flaky = rand.New(rand.NewPCG(*seed, 23))
	lasts := time.Duration((float64(*kills)*everySeconds + 1) * float64(time.Second))
	c := newCluster(t, w, lasts/time.Duration(w.rows), hook.URL, node{LeaseTime: leaseTime})
	ctx, stop := context.WithTimeout(context.Background(), lasts*5+patience)
	defer stop()
	conn, err := connect(ctx, c.urls, "listener", leaseTime, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	h, err := listen(ctx, conn.Bus)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.until(ctx, func() bool { return h.machines() > partitions/2 }); err != nil { // faults are under way
		t.Fatal(err)
	}
	k := killer{c: c, hook: hook, rng: rand.New(rand.NewPCG(*seed, 22)), did: map[string]int{}, fell: map[string]time.Time{}}
	for n := range *kills {
		if *harms > 0 && n%*harms == *harms-1 {
			k.harm(t)
		} else {
			k.kill(ctx)
		}
		time.Sleep(time.Duration(everySeconds * k.rng.Float64() * float64(time.Second)))
	}
	k.heal()
	if err := h.until(ctx, func() bool { return h.has(want) }); err != nil {
		t.Errorf("not all was said: %v", err)
		h.readAgain(t, conn.Bus)
	}
	h.checkNumbers(t)
	h.checkSame(t, want)
	h.checkKept(t, conn.Bus)
	if late := h.latest(); late > within {
		t.Errorf("an event was said %v after its cause and the takeover", late)
	}
	_, all := told.counts()
	for begun := time.Now(); time.Since(begun) < within; time.Sleep(100 * time.Millisecond) {
		if _, n := hook.counts(); n >= all {
			break
		}
	}
	time.Sleep(2 * leaseTime) // for what might come twice
	by, took := deliveryTakeovers(ctx, t, conn.Bus)
	hook.check(t, told, by)
	requests, notifications := hook.counts()
	if requests-notifications > *kills {
		t.Errorf("%d requests came again, after %d kills", requests-notifications, *kills)
	}
	t.Logf("%d notifications to %d receivers, of %d that are to be sent; %d requests, %d of them again with the same key; %d times another node began to deliver to a receiver", notifications, hooks, all, requests, requests-notifications, took)
	t.Logf("files that were damaged after a kill: %v; ledgers that were refused, and began anew: %d", k.harmed, k.refused)
	t.Logf("%d kills %v; %d events of %d machines, the latest %v after its cause or the takeover; %d takeovers",
		*kills, k.did, h.events(), len(h.said), h.latest().Round(time.Millisecond), h.takeovers())
}

// checkKept fails where the log no longer has what was heard.
func (h *heard) checkKept(t *testing.T, b *bus.Bus) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	fresh, err := listen(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.until(ctx, func() bool { return fresh.seq >= h.seq }); err != nil {
		t.Errorf("the log ends at record %d, and %d were heard: %v", fresh.seq, h.seq, err)
	}
	fresh.checkNumbers(t)
	fresh.checkSame(t, h)
}

// readAgain tells what was not said from what was not heard.
func (h *heard) readAgain(t *testing.T, b *bus.Bus) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	fresh, err := listen(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	_ = fresh.until(ctx, func() bool { return fresh.seq >= h.seq })
	for machine, said := range fresh.said {
		if len(said) != len(h.said[machine]) {
			t.Errorf("%s has said %d records, and %d were heard", machine, len(said), len(h.said[machine]))
		}
	}
}

func (h *heard) machines() int { return len(h.said) }

// takeovers counts claims behind the first of each machine.
func (h *heard) takeovers() (n int) {
	for _, claims := range h.claims {
		n += len(claims) - 1
	}
	return n
}

// killer kills nodes at random, and starts them again.
type killer struct {
	c    *testCluster
	hook *hook
	rng  *rand.Rand
	down []string // killed, and not started again
	did  map[string]int
	fell map[string]time.Time // when each was killed

	harmed  []string // damaged files, with the kind of damage
	refused int      // ledgers that were refused
}

// kill starts again what was killed before, or most of it, and kills one more.
func (k *killer) kill(ctx context.Context) {
	for len(k.down) > 0 && (len(k.down) > 1 || k.rng.IntN(2) == 0) {
		k.restart()
	}
	switch k.rng.IntN(12) {
	case 8, 9, 10:
		k.hitDeliverer()
	case 11:
		name := fmt.Sprintf("teller%d", 1+k.rng.IntN(tellers))
		if k.c.running[name] != nil && k.rng.IntN(2) == 0 {
			k.did["paused teller"]++
			k.c.pause(name, leaseTime+time.Second)
			return
		}
		k.hit("teller", name)
	case 0:
		k.hit("ingest", halves[k.rng.IntN(2)])
	case 1:
		k.hit("NATS", fmt.Sprintf("nats%d", 1+k.rng.IntN(3)))
	case 2:
		k.hit("leader", k.c.leader(ctx, "torture-said"))
	case 3:
		k.hit("leader", k.c.leader(ctx, fmt.Sprintf("torture-rows-p%03d", k.rng.IntN(partitions))))
	case 4:
		name := fmt.Sprintf("worker%d", 1+k.rng.IntN(workers))
		if k.c.running[name] != nil {
			k.did["paused worker"]++
			k.c.pause(name, leaseTime+time.Second) // another takes over, and it does not know
			return
		}
		k.hit("worker", name)
	default:
		k.hit("worker", fmt.Sprintf("worker%d", 1+k.rng.IntN(workers)))
	}
}

// hitDeliverer kills the next node that sends a notification, before or after it gets the answer and
// before it can acknowledge. If none sends soon, it kills any teller.
func (k *killer) hitDeliverer() {
	k.hook.armed <- k.rng.IntN(2) == 0
	select {
	case name := <-k.hook.victims:
		k.hitVictim(name)
		return
	case <-time.After(deliverWithin):
	}
	select {
	case <-k.hook.armed:
		k.hit("teller", fmt.Sprintf("teller%d", 1+k.rng.IntN(tellers)))
	case name := <-k.hook.victims:
		k.hitVictim(name)
	}
}

// deliverWithin is how long a killer waits for a node that sends.
const deliverWithin = 2 * time.Second

func (k *killer) hitVictim(name string) {
	if k.c.running[name] != nil { // it may be a request of a teller that was killed before
		k.did["deliverer"]++
		k.c.kill(name)
		k.down, k.fell[name] = append(k.down, name), time.Now()
	}
	k.hook.killed <- struct{}{}
}

// hit kills a node. Of three servers of NATS two have to live.
func (k *killer) hit(what, name string) {
	if name == "" || k.c.running[name] == nil {
		k.heal()
		name, what = fmt.Sprintf("worker%d", 1+k.rng.IntN(workers)), "worker"
	}
	if k.c.nodes[name].Role == natsRole {
		k.heal()
		for other, n := range k.c.nodes {
			if n.Role == natsRole {
				k.c.await(other)
			}
		}
	}
	k.did[what]++
	k.c.kill(name)
	k.down, k.fell[name] = append(k.down, name), time.Now()
}

// restart starts again what was killed first. An ingest node that is dead for longer than
// rows wait for it costs rows, as it should: then nothing can be compared.
func (k *killer) restart() {
	name := k.down[0]
	if dead := time.Since(k.fell[name]); k.c.nodes[name].Role == ingestRole && dead > lateSeconds*time.Second/2 {
		k.c.tb.Fatalf("%s was dead for %v, and rows wait for %d s: run this on a machine that does nothing else", name, dead.Round(time.Second), lateSeconds)
	}
	k.c.nodes[name].NewLedger = k.c.nodes[name].Role == tellerRole && k.moveRefused(k.c.nodes[name].Dir)
	k.c.start(name)
	k.down = k.down[1:]
}

func (k *killer) heal() {
	for len(k.down) > 0 {
		k.restart()
	}
}

// harm kills a node that sends notifications, or a server of NATS, and damages one of its files.
func (k *killer) harm(t *testing.T) {
	t.Helper()
	what, name := "teller", fmt.Sprintf("teller%d", 1+k.rng.IntN(tellers))
	if k.rng.IntN(2) == 0 {
		what, name = "NATS", fmt.Sprintf("nats%d", 1+k.rng.IntN(3))
	}
	k.heal()
	k.hit(what, name)
	dir := k.c.nodes[name].Dir
	var files []string
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasSuffix(path, "-shm") && !strings.Contains(path, ".damaged") { // only a running process needs the first, and nobody the second
			if info, err := d.Info(); err == nil && info.Size() > 0 {
				files = append(files, path)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		return // it was killed as it started for the first time
	}
	path := files[k.rng.IntN(len(files))]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := k.rng.IntN(len(data))
	how := fmt.Sprintf("bit of byte %d of", at)
	switch k.rng.IntN(3) {
	case 0:
		how, err = fmt.Sprintf("cut at %d of", at), os.Truncate(path, int64(at))
	case 1:
		data[at] ^= 1 << k.rng.IntN(8)
		err = os.WriteFile(path, data, 0o600)
	default:
		how, err = "no", os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	relative, _ := filepath.Rel(filepath.Dir(dir), path)
	k.harmed = append(k.harmed, fmt.Sprintf("%s %d %s", how, len(data), relative))
}

// moveRefused does what the message of a node with a damaged ledger asks for, if the node would not
// start: it moves the ledger aside. It reports whether it has moved the ledger.
func (k *killer) moveRefused(dir string) bool {
	if _, err := os.Stat(dir); err != nil {
		return false
	}
	found, err := watch.Inspect(context.Background(), dir)
	if err != nil || found.Refused == nil { // an error: it was killed before it had a state
		return false
	}
	k.refused++
	for _, suffix := range []string{"", "-wal", "-shm", "-sum"} {
		path := filepath.Join(dir, "ledger.sqlite"+suffix)
		if err := os.Rename(path, fmt.Sprintf("%s.damaged%d", path, k.refused)); err != nil && !os.IsNotExist(err) {
			k.c.tb.Error(err)
		}
	}
	return true
}
