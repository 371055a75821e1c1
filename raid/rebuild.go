package raid

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// checkpoint is how many stripes are rebuilt between two events that remember
// it: a crash costs at most so many, seconds of work.
const checkpoint = 1 << 14

// RebuildOptions are how members are filled.
type RebuildOptions struct {
	// BytesPerSecond is how much of each member is read or written; 0: as much
	// as can be.
	BytesPerSecond int64
	// Progress, if not nil, is told of stripes.
	Progress func(done, total int64)
	// Skip, if not nil, has the rebuild go on where too little of a stripe can
	// be read to compute the rest, and is told what is lost.
	Skip func(Hole)
}

// Rebuild fills the members that were put in the place of lost ones, from
// where the last rebuild got to. Reads and writes go on beside it. When ctx
// ends it stops, and can be called again, also after the array was opened
// again.
func (a *Array) Rebuild(ctx context.Context, o RebuildOptions) error {
	if err := a.enterToWrite(); err != nil {
		return err
	}
	defer a.gate.leave()
	a.rebuild.Lock()
	defer a.rebuild.Unlock()
	places := a.roster.Load().rebuilding
	done := a.roster.Load().rebuilt
	pace := newPace(o.BytesPerSecond)
	for places != 0 && done < a.geometry.Stripes {
		to := min(done+int64(a.options.Window), a.geometry.Stripes)
		if err := a.rebuildWindow(places, done, to, o.Skip); err != nil {
			return err
		}
		if to/checkpoint > done/checkpoint {
			if err := a.remember(places, to); err != nil {
				return err
			}
		}
		stripes := to - done
		done = to
		if o.Progress != nil {
			o.Progress(done, a.geometry.Stripes)
		}
		if done == a.geometry.Stripes {
			break
		}
		if err := pace.rest(ctx, a, stripes*ChunkSize); err != nil {
			return errors.Join(err, a.remember(places, done))
		}
	}
	return a.readmit(places)
}

// rebuildStripes computes all chunks of some stripes and writes those that the
// members lack. They need no journal: nobody reads them yet.
func (a *Array) rebuildStripes(places set, from, to int64) error {
	lock := a.locks.write(from, to)
	defer a.locks.release(lock)
	f, err := a.fetch(&a.background, from, int(to-from), firstMembers(a.geometry.Data).members(), nil)
	if err != nil {
		return err
	}
	defer f.drop()
	chunks := slices.Clone(f.bufs)
	for m := a.geometry.Data; m < len(chunks); m++ {
		chunks[m] = a.pool.Get(f.size)
		defer a.pool.Put(chunks[m])
	}
	if err := a.coder.encode(chunks); err != nil {
		return err
	}
	own := a.copies(chunks, places)
	return a.onRebuilding(places, func(i int, m Member) error {
		defer a.pool.Put(own[i])
		if _, err := m.WriteAt(own[i], a.geometry.offset(from)); err != nil {
			return err
		}
		return a.setSums(i, sumsOf(own[i], from))
	})
}

// copies are chunks of some members that belong to the writes of them: one
// that hangs keeps its memory.
func (a *Array) copies(chunks [][]byte, which set) [][]byte {
	own := make([][]byte, len(chunks))
	for _, i := range which.members() {
		own[i] = a.pool.Get(len(chunks[i]))
		copy(own[i], chunks[i])
	}
	return own
}

// onRebuilding does the same with the members being rebuilt. One that fails
// ends the rebuild; the others go on when it is called again.
func (a *Array) onRebuilding(places set, do func(i int, m Member) error) error {
	r := a.roster.Load()
	if r.stopped != nil {
		return r.stopped
	}
	if r.rebuilding != places {
		return fmt.Errorf("member %v failed while it was rebuilt: %w", places&^r.rebuilding, errors.Join(r.errs...))
	}
	errs := askAll(r.members, places, a.untilCondemned(), do)
	if err := a.lose(errs); err != nil {
		return err
	}
	return errors.Join(errs...)
}

// remember makes an event of how far the rebuild got.
func (a *Array) remember(places set, done int64) error {
	if err := a.onRebuilding(places, func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.change(func(s *state) { s.rebuilt = done })
}

// readmit makes members of those that are whole.
func (a *Array) readmit(places set) error {
	if places == 0 {
		return nil
	}
	if err := a.onRebuilding(places, func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.change(func(s *state) {
		s.lost &^= places & s.rebuilding
		s.rebuilding, s.rebuilt = 0, 0
	})
}
