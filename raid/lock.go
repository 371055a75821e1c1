package raid

import "sync"

// stripeLocks let stripes be read by many or written by one. A new lock waits for all earlier locks
// that conflict with it, so that no lock starves.
type stripeLocks struct {
	mu   sync.Mutex
	held []*stripeLock // locks held or waited for, in order of arrival
}

// A stripeLock is a lock of the stripes from … to-1.
type stripeLock struct {
	from, to int64
	write    bool
	before   int           // number of conflicting locks that came earlier
	granted  chan struct{} // closed when before is 0
}

func (l *stripeLock) conflicts(o *stripeLock) bool {
	return (l.write || o.write) && l.from < o.to && o.from < l.to
}

// read waits until no earlier lock writes the stripes.
func (s *stripeLocks) read(from, to int64) *stripeLock {
	return s.acquire(&stripeLock{from: from, to: to})
}

// write waits until no earlier lock has the stripes.
func (s *stripeLocks) write(from, to int64) *stripeLock {
	return s.acquire(&stripeLock{from: from, to: to, write: true})
}

func (s *stripeLocks) acquire(l *stripeLock) *stripeLock {
	s.mu.Lock()
	for _, o := range s.held {
		if l.conflicts(o) {
			l.before++
		}
	}
	s.held = append(s.held, l)
	if l.before > 0 {
		l.granted = make(chan struct{})
	}
	s.mu.Unlock()
	if l.granted != nil {
		<-l.granted
	}
	return l
}

// release grants the locks that waited only for l.
func (s *stripeLocks) release(l *stripeLock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, after := s.held[:0], false
	for _, o := range s.held {
		if o == l {
			after = true
			continue
		}
		kept = append(kept, o)
		if after && l.conflicts(o) {
			if o.before--; o.before == 0 {
				close(o.granted)
			}
		}
	}
	clear(s.held[len(kept):])
	s.held = kept
}
