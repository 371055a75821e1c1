// The local bus keeps its data in the memory of one process. Tests use it in place of JetStream.
// The data do not survive the process.

package bus

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"
)

// NewLocal returns a bus in memory. A lease expires leaseTime after it was taken or last renewed.
func NewLocal(now func() time.Time, leaseTime time.Duration) *Bus {
	return &Bus{
		Logs:      &logs{now: now, list: map[string]*log{}},
		Leases:    &leases{now: now, lasts: leaseTime, held: map[string]heldLease{}},
		Blobs:     &blobs{list: map[string]blob{}},
		LeaseTime: leaseTime,
	}
}

type logs struct {
	mu   sync.Mutex
	now  func() time.Time
	list map[string]*log
}

func (l *logs) Open(_ context.Context, name string, keep time.Duration) (Log, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.list[name] == nil {
		l.list[name] = &log{now: l.now, retention: keep, last: map[string]Record{}, ids: map[string]bool{}, grown: make(chan struct{})}
	}
	return l.list[name], nil
}

// log is a list of records in memory. It drops records that are too old.
type log struct {
	mu        sync.Mutex
	now       func() time.Time
	retention time.Duration
	records   []Record // the records in order; records[0] has the number log.first+1
	first     uint64
	next      uint64
	last      map[string]Record // last record of each subject
	ids       map[string]bool   // IDs of the stored records
	grown     chan struct{}     // closed when a record is added
}

func (l *log) Append(_ context.Context, records ...Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range records {
		l.add(r)
	}
	return nil
}

func (l *log) Put(_ context.Context, r Record, last uint64) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last[r.Subject].Seq != last {
		return 0, ErrConflict
	}
	return l.add(r), nil
}

func (l *log) add(r Record) uint64 {
	if r.ID != "" && l.ids[r.ID] {
		return l.last[r.Subject].Seq
	}
	l.next++
	r.Seq, r.Time, r.Data = l.next, l.now(), slices.Clone(r.Data)
	l.records = append(l.records, r)
	l.last[r.Subject] = r
	if r.ID != "" {
		l.ids[r.ID] = true
	}
	l.drop(r.Time)
	close(l.grown)
	l.grown = make(chan struct{})
	return r.Seq
}

// drop drops the records that are older than log.retention.
func (l *log) drop(now time.Time) {
	old := 0
	for l.retention > 0 && old < len(l.records) && now.Sub(l.records[old].Time) > l.retention {
		delete(l.ids, l.records[old].ID)
		old++
	}
	l.records = slices.Delete(l.records, 0, old)
	l.first += uint64(old)
}

func (l *log) Last(_ context.Context, subject string) (Record, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.last[subject]
	if !ok {
		return r, ErrNone
	}
	return r, nil
}

func (l *log) Read(_ context.Context, after uint64) (Reader, error) {
	return &reader{log: l, after: after}, nil
}

type reader struct {
	log   *log
	after uint64
}

func (r *reader) Next(ctx context.Context) (Record, error) {
	for {
		if ctx.Err() != nil {
			return Record{}, ctx.Err()
		}
		one, grown := r.look()
		if grown == nil {
			r.after = one.Seq
			return one, nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
		}
	}
}

// look returns the next record and no channel. If there is no next record yet, it returns a channel
// that is closed when a record is added.
func (r *reader) look() (Record, <-chan struct{}) {
	l := r.log
	l.mu.Lock()
	defer l.mu.Unlock()
	at := 0
	if r.after > l.first {
		at = int(r.after - l.first)
	}
	if at >= len(l.records) {
		return Record{}, l.grown
	}
	return l.records[at], nil
}

func (*reader) Close() {}

type heldLease struct {
	lease     Lease
	expiresAt time.Time
}

type leases struct {
	mu       sync.Mutex
	now      func() time.Time
	lasts    time.Duration
	revision uint64
	held     map[string]heldLease
}

func (l *leases) Acquire(_ context.Context, key, owner string) (Lease, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h, ok := l.held[key]; ok && l.now().Before(h.expiresAt) {
		return Lease{}, ErrConflict
	}
	l.revision++
	return l.put(Lease{Key: key, Owner: owner, Fence: l.revision, Revision: l.revision}), nil
}

func (l *leases) put(one Lease) Lease {
	l.held[one.Key] = heldLease{one, l.now().Add(l.lasts)}
	return one
}

func (l *leases) Renew(_ context.Context, one Lease) (Lease, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h, ok := l.held[one.Key]; !ok || h.lease.Revision != one.Revision || !l.now().Before(h.expiresAt) {
		return one, ErrConflict
	}
	l.revision++
	one.Revision = l.revision
	return l.put(one), nil
}

func (l *leases) Release(_ context.Context, one Lease) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[one.Key].lease.Revision == one.Revision {
		delete(l.held, one.Key)
	}
	return nil
}

func (l *leases) Held(context.Context) ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var keys []string
	for key, h := range l.held {
		if l.now().Before(h.expiresAt) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

type blob struct {
	data []byte
	mark int
}

type blobs struct {
	mu   sync.Mutex
	list map[string]blob
}

func (b *blobs) Put(_ context.Context, name string, data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list[name] = blob{slices.Clone(data), b.list[name].mark + 1}
	return nil
}

func (b *blobs) Get(_ context.Context, name string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	one, ok := b.list[name]
	if !ok {
		return nil, ErrNone
	}
	return one.data, nil
}

func (b *blobs) Mark(_ context.Context, name string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	one, ok := b.list[name]
	if !ok {
		return "", ErrNone
	}
	return strconv.Itoa(one.mark), nil
}
