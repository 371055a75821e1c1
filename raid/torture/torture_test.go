package torture

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/faulty"
	"github.com/limpet-storage/limpet/raid/nbd"
	"github.com/limpet-storage/limpet/raid/nbd/nbdtest"
	"github.com/limpet-storage/limpet/raid/policy"
)

var (
	lasts = flag.Duration("torture.for", 3*time.Second, "how long each test goes on")
	first = flag.Uint64("torture.seed", 1, "of the first round")
)

// data, stripes and journal make a small array whose slots are used again soon.
var geometry = raid.Geometry{Data: 4, Stripes: 300, Journal: 16, Checksums: true}

const workers = 4

// deadline is far above what a busy machine takes for an I/O in memory.
const deadline = 4 * time.Second

// A bench is an array in memory and what it has to hold.
type bench struct {
	t       *testing.T
	rng     *rand.Rand
	drives  []*faulty.Drive
	oracles [workers]*oracle
	counts  *counts
	power   *faulty.Power
	spares  int
}

// TestTorture goes on in rounds. In each, up to two members fail in any way
// while clients work; then power is lost or the process is killed; the members
// are damaged further; and what is left has to hold what was acknowledged.
func TestTorture(t *testing.T) {
	b := newBench(t, *first)
	for end := time.Now().Add(*lasts); time.Now().Before(end) && !t.Failed(); {
		b.counts.rounds.Add(1)
		b.round()
	}
	t.Logf("seed %d: %v", *first, b.counts)
	if b.counts.wrong.Load() != 0 {
		t.Error("wrong bytes were read")
	}
	if b.counts.rounds.Load() < 1 || b.counts.writes.Load() < 20 {
		t.Error("that was no torture")
	}
}

func newBench(t *testing.T, seed uint64) *bench {
	t.Helper()
	b := &bench{t: t, rng: rand.New(rand.NewPCG(seed, 0)), counts: &counts{}, power: &faulty.Power{}}
	members := make([]raid.Member, geometry.Members())
	for i := range members {
		d := faulty.NewDrive(fmt.Sprintf("drive%d", i), geometry.MemberSize(), b.power, uint64(i))
		b.drives, members[i] = append(b.drives, d), d
	}
	g, err := raid.Create(members, raid.CreateOptions{Journal: geometry.Journal, Checksums: true})
	if err != nil || g != geometry {
		t.Fatal(g, err)
	}
	share := geometry.Stripes / workers * int64(geometry.Data) * raid.ChunkSize
	for i := range b.oracles {
		b.oracles[i] = &oracle{
			base: int64(i) * share, held: make([]byte, share), stripe: int64(geometry.Data) * raid.ChunkSize, trims: true,
			rng: rand.New(rand.NewPCG(seed, uint64(100+i))), counts: b.counts,
		}
	}
	return b
}

// served is an array behind a server.
type served struct {
	array  *raid.Array
	server *nbd.Server
	socket string
}

func (b *bench) open(drives []*faulty.Drive) (*served, error) {
	members := make([]raid.Member, len(drives))
	for i, d := range drives {
		if d != nil {
			members[i] = d
		}
	}
	o := raid.DefaultOptions()
	o.Policy = policy.Default(policy.Kinds()[b.rng.IntN(len(policy.Kinds()))])
	o.Degraded, o.Window, o.Deadline, o.ChecksumMemory = true, 32, deadline, int64(b.rng.IntN(2))<<20
	a, err := raid.Open(members, o)
	if err != nil {
		return nil, err
	}
	s, err := nbd.NewServer(nbd.Export{Name: "array", Device: a}, nbd.DefaultOptions())
	if err != nil {
		b.t.Fatal(err)
	}
	socket := filepath.Join(b.t.TempDir(), "s")
	l, err := nbd.Listen("unix:"+socket, false)
	if err != nil {
		b.t.Fatal(err)
	}
	go s.Serve(l)
	return &served{a, s, "unix:" + socket}, nil
}

// round is one life of the array, from one crash to the next.
func (b *bench) round() {
	s, err := b.open(b.drives)
	if err != nil {
		b.t.Fatalf("round %d: %v", b.counts.rounds.Load(), err)
	}
	ill := b.rng.Perm(len(b.drives))[:b.rng.IntN(3)]
	for _, i := range ill {
		b.drives[i].Follow(b.plan())
	}
	var all sync.WaitGroup
	for _, o := range b.oracles {
		c := b.dial(s)
		all.Go(func() { defer c.Close(); o.work(c) })
	}
	time.Sleep(time.Duration(b.rng.IntN(150)) * time.Millisecond)
	stale, copyOf := b.snapshot(ill)
	time.Sleep(time.Duration(b.rng.IntN(150)) * time.Millisecond)
	if len(ill) > 0 && b.rng.IntN(8) == 0 {
		time.Sleep(deadline + time.Second) // whoever hangs is lost
	}
	power := b.rng.IntN(2) == 0
	left := b.crash(power)
	all.Wait()
	s.server.Close()
	s.array.Close()
	b.damage(left, ill, stale, copyOf)
	b.recover(left)
}

// plan is how a drive fails.
func (b *bench) plan() faulty.Plan {
	b.counts.ill.Add(1)
	texts := []string{
		"read:error/10", "read:short/10", "read:hang/30", "write:error/200", "write:short/200", "write:hang/200",
		"sync:error/200", "sync:hang/200", "read:error/1", "read:hang/20 write:hang/100 sync:hang/100",
	}
	p, err := faulty.Parse(texts[b.rng.IntN(len(texts))])
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func (b *bench) dial(s *served) *nbdtest.Client {
	b.t.Helper()
	c, err := nbdtest.Dial(s.socket, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

// snapshot copies a member that will be put back, if another may be ill.
func (b *bench) snapshot(ill []int) (place int, d *faulty.Drive) {
	if len(ill) > 1 || b.rng.IntN(3) > 0 {
		return -1, nil
	}
	place = b.rng.IntN(len(b.drives))
	return place, b.drives[place].Restored(b.rng, nil, true)
}

// crash loses power, or kills: then what was written is there.
func (b *bench) crash(power bool) []*faulty.Drive {
	count := &b.counts.kills
	if power {
		count = &b.counts.cuts
	}
	count.Add(1)
	b.power.Cut()
	b.power = &faulty.Power{}
	left := make([]*faulty.Drive, len(b.drives))
	for i, d := range b.drives {
		d.Follow(nil)
		left[i] = d.Restored(b.rng, b.power, !power)
	}
	return left
}

// damage takes up to two members, those that failed among them: lost, rotten,
// stale, cut.
func (b *bench) damage(left []*faulty.Drive, ill []int, stale int, copyOf *faulty.Drive) {
	hurt := map[int]bool{}
	for _, i := range ill {
		hurt[i] = true
	}
	if stale >= 0 && (hurt[stale] || len(hurt) < 2) {
		hurt[stale] = true
		left[stale] = copyOf.Restored(b.rng, b.power, true)
	}
	for len(hurt) < 2 && b.rng.IntN(2) == 0 {
		i := b.rng.IntN(len(left))
		if hurt[i] {
			continue
		}
		hurt[i] = true
		b.spoil(left, i)
	}
}

// spoil damages one member.
func (b *bench) spoil(left []*faulty.Drive, i int) {
	data := int64(4+2*geometry.Journal) * raid.ChunkSize
	switch b.rng.IntN(4) {
	case 0:
		left[i] = nil
		b.counts.lost.Add(1)
	case 1:
		for range 1 + b.rng.IntN(20) {
			left[i].Rot(data+b.rng.Int64N(geometry.Stripes*raid.ChunkSize-64), 64)
		}
		b.counts.rotten.Add(1)
	case 2:
		left[i].Rot(data+geometry.Stripes*raid.ChunkSize+b.rng.Int64N(512), 16)
		b.counts.spoiledTables.Add(1)
	default:
		left[i].Truncate(data + b.rng.Int64N(geometry.Stripes)*raid.ChunkSize)
		b.counts.short.Add(1)
	}
}

// recover opens what is left without those that are refused by name, holds it
// against the oracles, fills new members while clients work, and scrubs.
func (b *bench) recover(left []*faulty.Drive) {
	s := b.openSome(left)
	b.settle(s)
	var all sync.WaitGroup
	stop := make(chan struct{})
	for _, o := range b.oracles {
		c := b.dial(s)
		all.Go(func() {
			defer c.Close()
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := o.request(c); err != nil {
					b.t.Errorf("while it is rebuilt: %v", err)
					return
				}
			}
		})
	}
	b.rebuild(s, left)
	close(stop)
	all.Wait()
	if _, err := s.array.Scrub(context.Background(), raid.ScrubOptions{Repair: true}); err != nil {
		b.t.Error(err)
	}
	b.rebuild(s, left) // where the machine was so busy that one seemed to hang
	scrub, err := s.array.Scrub(context.Background(), raid.ScrubOptions{})
	if err != nil || scrub.Faulty != 0 {
		b.t.Errorf("after repair: %v, %+v", err, scrub)
	}
	b.settle(s)
	s.server.Close()
	if err := s.array.Close(); err != nil {
		b.t.Error(err)
	}
	b.drives = left
}

// openSome leaves out who is refused.
func (b *bench) openSome(left []*faulty.Drive) *served {
	for {
		s, err := b.open(left)
		if err == nil {
			return s
		}
		var wrong *raid.MemberError
		if !errors.As(err, &wrong) {
			b.t.Fatalf("round %d: %v", b.counts.rounds.Load(), err)
		}
		if errors.Is(err, raid.ErrStale) {
			b.counts.stale.Add(1)
		}
		left[wrong.Place] = nil
	}
}

func (b *bench) settle(s *served) {
	c := b.dial(s)
	defer c.Close()
	for _, o := range b.oracles {
		if err := o.settle(c); err != nil {
			b.t.Errorf("round %d: %v", b.counts.rounds.Load(), err)
		}
	}
}

// rebuild puts new drives in the place of lost ones.
func (b *bench) rebuild(s *served, left []*faulty.Drive) {
	for _, m := range s.array.Status().Members {
		if m.State != raid.Lost {
			continue
		}
		b.spares++
		left[m.Place] = faulty.NewDrive(fmt.Sprintf("spare%d", b.spares), geometry.MemberSize(), b.power, b.rng.Uint64())
		if err := s.array.Replace(m.Place, left[m.Place], false); err != nil {
			b.t.Error(err)
		}
		b.counts.rebuilt.Add(1)
	}
	if err := s.array.Rebuild(context.Background(), raid.RebuildOptions{}); err != nil {
		b.t.Error(err)
	}
}
