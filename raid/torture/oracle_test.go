package torture

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/limpet-storage/limpet/raid/nbd/nbdtest"
)

// counts are what a run came to.
type counts struct {
	rounds, cuts, kills, lost, rotten, stale, short, ill, spoiledTables, rebuilt atomic.Int64
	writes, zeroes, trims, reads, failed, bytesChecked, wrong                    atomic.Int64
}

func (c *counts) String() string {
	return fmt.Sprintf("%d rounds: %d power cuts, %d kills; %d members lost, %d rotten, %d stale, %d cut, %d ill, %d tables rotten, %d rebuilt; "+
		"%d writes, %d zeroes, %d trims acknowledged, %d reads, %d requests failed; %d MiB checked, %d wrong bytes",
		c.rounds.Load(), c.cuts.Load(), c.kills.Load(), c.lost.Load(), c.rotten.Load(), c.stale.Load(), c.short.Load(), c.ill.Load(),
		c.spoiledTables.Load(), c.rebuilt.Load(), c.writes.Load(), c.zeroes.Load(), c.trims.Load(), c.reads.Load(), c.failed.Load(),
		c.bytesChecked.Load()>>20, c.wrong.Load())
}

// An oracle knows what a share of an export holds. One request at a time is
// under way.
type oracle struct {
	base   int64  // of the share
	held   []byte // acknowledged
	next   []byte // after the request under way, nil if there is none
	stripe int64  // bytes
	trims  bool   // whole stripes are discarded as zeros
	rng    *rand.Rand
	counts *counts
}

// work makes requests until one fails.
func (o *oracle) work(c *nbdtest.Client) {
	for o.request(c) == nil {
	}
	o.counts.failed.Add(1)
}

// request makes one by chance.
func (o *oracle) request(c *nbdtest.Client) error {
	off := o.rng.Int64N(int64(len(o.held)))
	n := 1 + o.rng.Int64N(min(int64(len(o.held))-off, 6*o.stripe))
	switch o.rng.IntN(10) {
	case 0, 1, 2, 3:
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(o.rng.Uint32())
		}
		return o.change(off, p, &o.counts.writes, func() error { _, err := c.WriteAt(p, o.base+off); return err })
	case 4:
		return o.change(off, make([]byte, n), &o.counts.zeroes, func() error { return c.WriteZeroes(o.base+off, int(n)) })
	case 5:
		if !o.trims {
			return c.Sync()
		}
		from, to := (off+o.stripe-1)/o.stripe*o.stripe, (off+n)/o.stripe*o.stripe
		if from >= to {
			return nil
		}
		return o.change(from, make([]byte, to-from), &o.counts.trims, func() error { return c.Discard(o.base+off, int(n)) })
	default:
		return o.check(c, off, n)
	}
}

// change notes a request, makes it, and notes that it was acknowledged.
func (o *oracle) change(off int64, p []byte, count *atomic.Int64, do func() error) error {
	o.next = slices.Clone(o.held)
	copy(o.next[off:], p)
	if err := do(); err != nil {
		return err
	}
	count.Add(1)
	o.held, o.next = o.next, nil
	return nil
}

// check reads what was acknowledged.
func (o *oracle) check(c *nbdtest.Client, off, n int64) error {
	got := make([]byte, n)
	if _, err := c.ReadAt(got, o.base+off); err != nil {
		return err
	}
	o.counts.reads.Add(1)
	o.counts.bytesChecked.Add(n)
	o.counts.wrong.Add(differ(got, o.held[off:off+n]))
	return nil
}

// settle reads the whole share after a crash: each stripe is as before the
// request that was under way, or as after it. That is what it holds from now on.
func (o *oracle) settle(c *nbdtest.Client) error {
	got := make([]byte, len(o.held))
	if _, err := c.ReadAt(got, o.base); err != nil {
		return err
	}
	o.counts.bytesChecked.Add(int64(len(got)))
	for at := int64(0); at < int64(len(got)); at += o.stripe {
		part := func(p []byte) []byte { return p[at:min(at+o.stripe, int64(len(p)))] }
		if o.next != nil && bytes.Equal(part(got), part(o.next)) {
			continue
		}
		o.counts.wrong.Add(differ(part(got), part(o.held)))
	}
	o.held, o.next = got, nil
	return nil
}

func differ(got, want []byte) (n int64) {
	if bytes.Equal(got, want) {
		return 0
	}
	for i := range got {
		if got[i] != want[i] {
			n++
		}
	}
	return n
}
