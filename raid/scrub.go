package raid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ScrubOptions are what to check and whether to mend it.
type ScrubOptions struct {
	From   int64 // the first stripe: Next of a scrub that was broken off
	Repair bool  // write what can be known to be right
	// Remember has the array remember how far the scrub got, and begin there
	// instead of at From; and when it was done.
	Remember bool
	// BytesPerSecond is how much of each member is read; 0: as much as can be.
	BytesPerSecond int64
	Progress       func(done, total int64)
}

// maxFaults is how many are listed: a drive that is wrong all over has
// millions, which say no more.
const maxFaults = 1000

// A Scrub is what was found.
type Scrub struct {
	Next     int64 // the first stripe that was not checked
	Checked  int64 // stripes
	Faulty   int64 // chunks, or stripes where nobody knows which
	Repaired int64 // of them
	Faults   []Fault

	quiet bool // what is found was counted before
}

// A Fault is a chunk that is wrong or cannot be read.
type Fault struct {
	Stripe   int64
	Member   int   // -1: the stripe contradicts itself, and which chunk is wrong cannot be known
	Err      error // nil: it was read, and does not match the other members
	Repaired bool
}

// String says where and what.
func (f Fault) String() string {
	var what string
	switch {
	case f.Member < 0:
		what = "data and parity do not match, and limpet cannot know which of the two is wrong"
	case errors.Is(f.Err, ErrRot):
		what = fmt.Sprintf("the data of member %d are damaged: the checksum is wrong", f.Member)
	case f.Err != nil:
		what = fmt.Sprintf("member %d cannot be read: %v", f.Member, f.Err)
	default:
		what = fmt.Sprintf("member %d does not match the other members", f.Member)
	}
	if f.Repaired {
		what += ", repaired"
	}
	return fmt.Sprintf("stripe %d: %s", f.Stripe, what)
}

// Scrub reads all members and holds them against their checksums and each
// other. Checksums say which chunks are wrong. Without, and all members there, two parities say which chunk is wrong, if one is; with one lost, only
// that one is; with two lost only errors are found. Reads and writes go on
// beside it. When ctx ends it says what it found so far, and from where to go
// on.
func (a *Array) Scrub(ctx context.Context, o ScrubOptions) (Scrub, error) {
	if o.Remember {
		o.From = a.roster.Load().scrubbed
	}
	s, enter := Scrub{Next: o.From}, a.gate.enter
	if o.Repair || o.Remember {
		enter = a.enterToWrite
	}
	if err := enter(); err != nil {
		return s, err
	}
	defer a.gate.leave()
	if o.From < 0 || o.From > a.geometry.Stripes {
		return s, fmt.Errorf("the scrub cannot start at stripe %d: the array has only %d stripes", o.From, a.geometry.Stripes)
	}
	pace := newPace(o.BytesPerSecond)
	for s.Next < a.geometry.Stripes {
		to := min(s.Next+int64(a.options.Window), a.geometry.Stripes)
		if err := a.scrubStripes(&s, s.Next, to, o.Repair); err != nil {
			return s, err
		}
		stripes := to - s.Next
		s.Checked, s.Next = s.Checked+stripes, to
		if o.Remember && to%checkpoint < stripes {
			if err := a.rememberScrub(to); err != nil {
				return s, err
			}
		}
		if o.Progress != nil {
			o.Progress(s.Next, a.geometry.Stripes)
		}
		if s.Next == a.geometry.Stripes {
			break
		}
		if err := pace.rest(ctx, a, stripes*ChunkSize); err != nil {
			if o.Remember {
				err = errors.Join(err, a.rememberScrub(s.Next))
			}
			return s, err
		}
	}
	if o.Remember {
		return s, a.rememberScrub(a.geometry.Stripes)
	}
	return s, nil
}

// rememberScrub makes an event of how far a scrub got, or of when it was done.
func (a *Array) rememberScrub(next int64) error {
	return a.change(func(s *state) {
		if s.scrubbed = next; next == s.geometry.Stripes {
			s.scrubbed, s.scrubbedAt = 0, time.Now().Unix() //nolint:forbidigo // of real drives
		}
	})
}

func (s *Scrub) add(f Fault) {
	s.Faulty++
	if f.Repaired {
		s.Repaired++
	}
	if len(s.Faults) < maxFaults {
		s.Faults = append(s.Faults, f)
	}
}

// scrubStripes checks a window at once, and stripe by stripe where that finds
// anything.
func (a *Array) scrubStripes(s *Scrub, from, to int64, repair bool) error {
	lock := a.locks.acquire(&stripeLock{from: from, to: to, write: repair})
	defer a.locks.release(lock)
	r := a.roster.Load()
	if r.stopped != nil {
		return r.stopped
	}
	l := a.newLook(r, int(to-from)*ChunkSize)
	defer l.drop()
	l.read(from)
	if l.bad == r.lost && (r.lost.count() == parities || l.consistent(r.lost)) {
		return nil
	}
	one := a.newLook(r, ChunkSize)
	defer one.drop()
	for stripe := from; stripe < to; stripe++ {
		one.read(stripe)
		if err := a.scrubStripe(s, one, stripe, repair); err != nil {
			return err
		}
	}
	return nil
}

// scrubStripe finds what is wrong with a stripe and mends what it can.
func (a *Array) scrubStripe(s *Scrub, l *look, stripe int64, repair bool) error {
	faults := l.faults(stripe)
	var wrong set
	for _, f := range faults {
		if f.Member >= 0 {
			wrong = wrong.with(f.Member)
		}
	}
	mend := repair && wrong != 0 && len(faults) == wrong.count() && (wrong|l.roster.lost).count() <= parities
	if mend {
		l.rebuild(wrong | l.roster.lost)
		chunks := make([][]byte, len(l.bufs))
		for _, m := range wrong.members() {
			chunks[m] = l.right[m]
		}
		if err := a.commit([]change{{stripe, chunks}}); err != nil {
			return err
		}
	}
	for _, f := range faults {
		f.Repaired = mend
		s.add(f)
		a.countFault(l.roster, f, s.quiet)
	}
	return nil
}

// countFault counts what a scrub found and mended.
func (a *Array) countFault(r *roster, f Fault, quiet bool) {
	var rot *rotError
	if errors.As(f.Err, &rot) && !quiet {
		r.failures[f.Member].noteRot(rot)
	}
	if f.Repaired {
		r.failures[f.Member].mended.Add(1)
	}
}

// A look is all members' chunks of some stripes as they are, and as they should
// be.
type look struct {
	a           *Array
	roster      *roster
	bufs, right [][]byte
	errs        []error
	bad         set // lost, or could not be read
}

func (a *Array) newLook(r *roster, size int) *look {
	l := &look{a: a, roster: r, bufs: make([][]byte, len(r.members)), right: make([][]byte, len(r.members))}
	for i := range l.bufs {
		l.bufs[i], l.right[i] = a.pool.Get(size), a.pool.Get(size)
	}
	return l
}

func (l *look) drop() {
	for _, buf := range slices.Concat(l.bufs, l.right) {
		l.a.pool.Put(buf)
	}
}

// read reads all members that hold their chunks.
func (l *look) read(from int64) { l.readWithout(from, 0) }

// readWithout takes some for lost.
func (l *look) readWithout(from int64, some set) {
	l.bad = l.roster.lost | some
	size := len(l.bufs[0])
	bufs, errs := ask(l.roster.members, l.roster.readable()&^some, l.a.untilCondemned(), l.a.pool.Put, func(i int, _ Member) ([]byte, error) {
		buf := l.a.pool.Get(size)
		return buf, l.roster.readChunks(i, buf, from)
	})
	for i, buf := range bufs {
		if buf != nil {
			l.a.pool.Put(l.bufs[i])
			l.bufs[i] = buf
		}
	}
	l.errs = errs
	for i, err := range l.errs {
		if err != nil {
			l.bad = l.bad.with(i)
		}
	}
}

// rebuild computes what the absent ones should be, and then P and Q.
func (l *look) rebuild(absent set) {
	chunks := make([][]byte, len(l.bufs))
	for i := range chunks {
		if chunks[i] = l.bufs[i]; absent.has(i) {
			chunks[i] = l.right[i][:0]
		}
	}
	if err := l.a.coder.rebuild(chunks, absent); err != nil {
		panic(err) // no more are absent than parity covers
	}
	for i := l.a.geometry.Data; i < len(chunks); i++ {
		chunks[i] = l.right[i]
	}
	if err := l.a.coder.encode(chunks); err != nil {
		panic(err) // all are there, of one length
	}
}

// consistent is whether P and Q are right if all but the absent are.
func (l *look) consistent(absent set) bool {
	l.rebuild(absent)
	for i := l.a.geometry.Data; i < len(l.bufs); i++ {
		if !absent.has(i) && !bytes.Equal(l.bufs[i], l.right[i]) {
			return false
		}
	}
	return true
}

// faults are chunks that cannot be read, and the one that is wrong.
func (l *look) faults(stripe int64) []Fault {
	var list []Fault
	for _, i := range (l.bad &^ l.roster.lost).members() {
		list = append(list, Fault{Stripe: stripe, Member: i, Err: l.errs[i]})
	}
	if l.bad.count() >= parities || l.consistent(l.bad) {
		return list
	}
	return append(list, Fault{Stripe: stripe, Member: l.culprit()})
}

// culprit is the member without which the others agree, -1 if none or several
// are such.
func (l *look) culprit() int {
	found := -1
	for i := range l.bufs {
		switch {
		case l.bad != 0 || !l.consistent(set(0).with(i)):
		case found >= 0:
			return -1
		default:
			found = i
		}
	}
	return found
}
