package raid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ScrubOptions are the options of Scrub.
type ScrubOptions struct {
	From   int64 // first stripe to check: Next of an interrupted scrub
	Repair bool  // write chunks again whose right content is known
	// Remember stores in the array how far the scrub got, and the time of its end. The scrub begins
	// at the stored stripe, and ignores From.
	Remember bool
	// BytesPerSecond is the rate at which each member is read; 0: no limit.
	BytesPerSecond int64
	Progress       func(done, total int64)
}

// maxFaults is the largest number of listed faults. A drive that is wrong everywhere has millions,
// and a longer list would not help.
const maxFaults = 1000

// A Scrub is the result of a scrub.
type Scrub struct {
	Next     int64 // first stripe that was not checked
	Checked  int64 // number of stripes checked
	Faulty   int64 // number of wrong chunks; a stripe counts once if the wrong chunk is not known
	Repaired int64 // number of wrong chunks repaired
	Faults   []Fault

	quiet bool // do not count damaged chunks: they were counted before
}

// A Fault is a chunk that is wrong or cannot be read.
type Fault struct {
	Stripe   int64
	Member   int   // -1: the stripe contradicts itself, and which chunk is wrong cannot be known
	Err      error // nil: it was read, and does not match the other members
	Repaired bool
}

// String returns the stripe, the fault, and whether it was repaired.
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

// Scrub reads all members, and compares the chunks with their checksums and with each other.
// Checksums show which chunks are wrong. Without checksums, the result depends on the lost members:
//   - No member is lost: P and Q show which chunk is wrong, if only one is.
//   - One member is lost: Scrub finds that a stripe is wrong, but not which chunk.
//   - Two members are lost: Scrub finds only read errors.
//
// Reads and writes of the array go on. When ctx ends, Scrub returns the faults found so far and the
// stripe to go on from.
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

// rememberScrub records the progress of a scrub as an event, or the time of its end.
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

// scrubStripes checks a window of stripes at once. If a stripe is wrong, it checks the stripes one
// by one.
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

// scrubStripe finds the faults of a stripe, and repairs them if it can.
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

// countFault counts damaged and repaired chunks.
func (a *Array) countFault(r *roster, f Fault, quiet bool) {
	var rot *rotError
	if errors.As(f.Err, &rot) && !quiet {
		r.failures[f.Member].noteRot(rot)
	}
	if f.Repaired {
		r.failures[f.Member].mended.Add(1)
	}
}

// A look holds the chunks of all members of some stripes: bufs as they are, right as they should
// be.
type look struct {
	a           *Array
	roster      *roster
	bufs, right [][]byte
	errs        []error
	bad         set // members that are lost or could not be read
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

// read reads all members that are not lost.
func (l *look) read(from int64) { l.readWithout(from, 0) }

// readWithout reads all members that are not lost, except the members in some.
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

// rebuild computes the right chunks of the absent members, and then the right P and Q.
func (l *look) rebuild(absent set) {
	chunks := make([][]byte, len(l.bufs))
	for i := range chunks {
		if chunks[i] = l.bufs[i]; absent.has(i) {
			chunks[i] = l.right[i][:0]
		}
	}
	if err := l.a.coder.rebuild(chunks, absent); err != nil {
		panic(err) // cannot happen: parity covers all absent members
	}
	for i := l.a.geometry.Data; i < len(chunks); i++ {
		chunks[i] = l.right[i]
	}
	if err := l.a.coder.encode(chunks); err != nil {
		panic(err) // cannot happen: all chunks are present and equally long
	}
}

// consistent reports whether P and Q match the data, if all chunks but the absent are right.
func (l *look) consistent(absent set) bool {
	l.rebuild(absent)
	for i := l.a.geometry.Data; i < len(l.bufs); i++ {
		if !absent.has(i) && !bytes.Equal(l.bufs[i], l.right[i]) {
			return false
		}
	}
	return true
}

// faults returns the chunks of a stripe that cannot be read, and a fault for data that do not match
// P and Q.
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

// culprit returns the member without which all other members match; -1: no such member, or several.
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
