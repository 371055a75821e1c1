package raid

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// A journal writes batches of changes, one after the other.
type journal struct {
	intents chan *intent
	held    *intent // intent that did not fit into the last batch
	ended   chan struct{}

	mu   sync.Mutex    // held by a batch, and by work that must not run during a batch
	next uint64        // sequence number of the next batch
	last atomic.Uint64 // last batch that all members hold
}

// An intent is a write, of chunks or of zeros, that waits for its batch. The writer holds the locks
// of the stripes while it waits.
type intent struct {
	changes []change
	zero    stripeRange
	done    chan error
}

// A change is the new chunks of one stripe, by member; nil: the chunk does not change.
type change struct {
	stripe int64
	chunks [][]byte
}

// commit writes changes, and returns when they are durable and in place. The changes must fit into
// the journal.
func (a *Array) commit(changes []change) error {
	return a.submit(&intent{changes: changes, done: make(chan error, 1)})
}

func (a *Array) submit(it *intent) error {
	a.journal.intents <- it
	return <-it.done
}

// writeBatches runs until the array is closed. All intents that arrive during one batch form the
// next batch.
func (a *Array) writeBatches() {
	defer close(a.journal.ended)
	for {
		batch := a.journal.gather(a.geometry.Journal)
		if batch == nil {
			return
		}
		err := a.writeBatch(batch)
		for _, it := range batch {
			it.done <- err
		}
	}
}

// gather waits for an intent, and adds the waiting intents that fit. An intent of zeros is a batch
// of its own.
func (j *journal) gather(room int) []*intent {
	first := j.held
	if j.held = nil; first == nil {
		first = <-j.intents
	}
	if first == nil {
		return nil
	}
	batch := []*intent{first}
	if first.zero.count > 0 {
		return batch
	}
	for room -= len(first.changes); ; {
		select {
		case it := <-j.intents:
			if it == nil || len(it.changes) > room || it.zero.count > 0 {
				j.held = it
				return batch
			}
			batch, room = append(batch, it), room-len(it.changes)
		default:
			return batch
		}
	}
}

// writeBatch writes the records of a batch and syncs them, which also syncs the chunks of the batch
// before. Then it writes the chunks in place.
func (a *Array) writeBatch(batch []*intent) error {
	a.journal.mu.Lock()
	defer a.journal.mu.Unlock()
	records := a.records(batch)
	defer dropRecords(records)
	seq := a.journal.next
	a.journal.next++
	err := a.onWritten(func(i int, m Member) error {
		if !records[i].use() {
			return ErrHung
		}
		defer records[i].done()
		if _, err := m.WriteAt(records[i].seal(a.ID(), i, seq), a.geometry.slot(seq)); err != nil {
			return err
		}
		return m.Sync()
	})
	if err != nil {
		return err
	}
	a.journal.last.Store(seq)
	return a.onWritten(func(i int, m Member) error { return a.inPlace(i, m, records[i]) })
}

// inPlace writes the chunks of a record in place, and at the same time their checksums.
func (a *Array) inPlace(i int, m Member, r *record) error {
	if !a.geometry.Checksums || r.chunks == 0 && r.zero.count == 0 {
		return r.inPlace(m, a.geometry)
	}
	sums, set := r.sums(), make(chan error, 1)
	go func() { set <- a.setSums(i, sums) }()
	return errors.Join(r.inPlace(m, a.geometry), <-set)
}

// records returns the record of a batch for each member; nil: the member is lost.
func (a *Array) records(batch []*intent) []*record {
	var changes []change
	for _, it := range batch {
		changes = append(changes, it.changes...)
	}
	slices.SortFunc(changes, func(x, y change) int { return cmp.Compare(x.stripe, y.stripe) })
	r := a.roster.Load()
	records := make([]*record, len(r.members))
	for _, i := range r.written().members() {
		records[i] = newRecord(a.pool, len(changes), a.geometry.Checksums)
		records[i].zero = batch[0].zero
		for _, c := range changes {
			if c.chunks[i] != nil {
				records[i].add(c.stripe, c.chunks[i])
			}
		}
	}
	return records
}

func dropRecords(records []*record) {
	for _, r := range records {
		r.done()
	}
}
