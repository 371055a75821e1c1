package torture

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/state/formtest"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
)

var (
	upgrade     = flag.Bool("upgrade", false, "upgrade a cluster of twelve processes")
	upgradeFrom = flag.String("upgrade.from", "", "test `PROGRAM` of another version, from which the cluster is upgraded; empty: this version with an older form of saved states")
)

// olderBlobs lets a node save and read states as an older version of limpet does: the number of
// their form is lower. A state of this version is a newer one to such a node.
type olderBlobs struct {
	bus.Blobs
	by uint32
}

func (o olderBlobs) Put(ctx context.Context, name string, data []byte) error {
	return o.Blobs.Put(ctx, name, shiftForms(data, -o.by))
}

func (o olderBlobs) Get(ctx context.Context, name string) ([]byte, error) {
	data, err := o.Blobs.Get(ctx, name)
	return shiftForms(data, o.by), err
}

// shiftForms changes the number of the form of every saved state in a value. It finds the states by
// their first bytes (package state).
func shiftForms(data []byte, by uint32) []byte {
	const begins, sumBytes = "limpet state\n", 32
	data = bytes.Clone(data)
	for at := 0; ; {
		next := bytes.Index(data[at:], []byte(begins))
		if next < 0 {
			return data
		}
		at += next
		version := binary.LittleEndian.Uint32(data[at+len(begins):])
		length := int(binary.LittleEndian.Uint64(data[at+len(begins)+4:]))
		end := at + len(begins) + 4 + 8 + length + sumBytes
		copy(data[at:], formtest.WithVersion(data[at:end], version+by))
		at = end
	}
}

// TestUpgradedCluster upgrades a running cluster node by node: servers of NATS are started again, and
// every other node is stopped and started with this version while rows come and faults are under
// way. What is said and sent is what one process says and sends that was never stopped. A worker that
// is set back to the older version leaves its tasks to the others, and says so.
func TestUpgradedCluster(t *testing.T) {
	if !*upgrade && *upgradeFrom == "" {
		t.Skip("starts twelve processes: make upgrade-cluster")
	}
	older := map[string]node{"from the version before": {Older: 1}, "from a version that cannot be read": {Older: 2}}
	if *upgradeFrom != "" {
		older = map[string]node{"from another program": {Program: *upgradeFrom}}
	}
	for name, like := range older {
		like.LeaseTime = 5 * time.Second // a busy machine needs longer than when nodes are killed
		t.Run(name, func(t *testing.T) { upgradeCluster(t, like) })
	}
}

func upgradeCluster(t *testing.T, like node) {
	const lasts = 90 * time.Second
	w := newWorld(t, 3)
	want, alone := oneProcess(t, w)
	told := toldAlone(t, alone)
	hook := newHook(t)
	hook.flaky = rand.New(rand.NewPCG(*seed, 24))
	c := newCluster(t, w, lasts/time.Duration(w.rows), hook.URL, like)
	ctx, stop := context.WithTimeout(t.Context(), lasts*3+patience)
	defer stop()
	conn, err := connect(ctx, c.urls, "listener", like.LeaseTime, func(string) {})
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
	rng := rand.New(rand.NewPCG(*seed, 25))
	names := slices.Sorted(maps.Keys(c.nodes))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	setBack := false
	for _, name := range names {
		c.stop(name)
		c.nodes[name].Older, c.nodes[name].Program = 0, ""
		c.start(name)
		if c.nodes[name].Role == natsRole {
			c.await(name)
		}
		time.Sleep(time.Duration((1 + 3*rng.Float64()) * float64(time.Second)))
		if c.nodes[name].Role == workerRole && !setBack { // and once more
			setBack = true
			c.stop(name)
			c.nodes[name].Older, c.nodes[name].Program = like.Older, like.Program
			c.start(name)
			time.Sleep(2 * like.LeaseTime)
			c.stop(name)
			c.nodes[name].Older, c.nodes[name].Program = 0, ""
			c.start(name)
		}
	}
	seen := 0 // events when incidents were counted last
	if err := h.until(ctx, func() bool {
		if like.Program == "" {
			return h.has(want)
		}
		now := h.events()
		isNew := now > seen
		seen = now
		return isNew && h.hasIncidents(want)
	}); err != nil {
		t.Errorf("not all was said: %v; not heard of: %v", err, without(slices.Sorted(maps.Keys(want.incidents())), slices.Sorted(maps.Keys(h.incidents()))))
		h.readAgain(t, conn.Bus)
	}
	h.checkNumbers(t)
	h.checkOnce(t)
	if like.Program == "" { // another program may find incidents at other times
		h.checkSame(t, want)
		if text := c.reported(); !strings.Contains(text, "nodes with a newer version of limpet run this partition") {
			t.Error("the worker that was set back says nothing")
		}
	}
	_, all := told.counts()
	for begun := time.Now(); time.Since(begun) < within && like.Program == ""; time.Sleep(100 * time.Millisecond) {
		if _, n := hook.counts(); n >= all {
			break
		}
	}
	time.Sleep(2 * like.LeaseTime) // for what might come twice
	by, took := deliveryTakeovers(context.WithoutCancel(ctx), t, conn.Bus)
	if like.Program == "" {
		hook.check(t, told, by)
	} else {
		for i := range hooks {
			hook.checkOrder(t, hookName(i))
		}
	}
	requests, notifications := hook.counts()
	t.Logf("%d nodes upgraded; %d events of %d machines; %d takeovers; %d notifications of %d, %d requests again with the same key, %d times another node began to deliver",
		len(names), h.events(), len(h.said), h.takeovers(), notifications, all, requests-notifications, took)
}

// checkOnce fails where an event was said twice, perhaps with another number.
func (h *heard) checkOnce(tb testing.TB) {
	tb.Helper()
	for machine, said := range h.said {
		seen := map[string]bool{}
		for i := range said {
			if said[i].Kind != cluster.EventKind {
				continue
			}
			line := text(&said[i])
			if seen[line] {
				tb.Errorf("%s has said twice: %s", machine, line)
			}
			seen[line] = true
		}
	}
}

// hasIncidents says whether machines have said something of all incidents that they found elsewhere.
func (h *heard) hasIncidents(want *heard) bool {
	has := h.incidents()
	for id := range want.incidents() {
		if !has[id] {
			return false
		}
	}
	return true
}

func (h *heard) incidents() map[string]bool {
	ids := map[string]bool{}
	for machine, said := range h.said {
		for i := range said {
			if said[i].Kind != cluster.EventKind {
				continue
			}
			if e, err := cluster.Decode[cluster.Event](said[i].Data); err == nil {
				ids[fmt.Sprint(machine, " ", e.Incident.ID)] = true
			}
		}
	}
	return ids
}
