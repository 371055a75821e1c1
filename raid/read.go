package raid

import (
	"errors"
	"io"

	"github.com/limpet-storage/limpet/raid/policy"
)

// A Reader reads an array with its own policy and counters. It ends with the array, and is safe for
// concurrent use.
type Reader struct {
	a *Array
	governor
}

// NewReader returns another reader of the array, so that policies can be compared on the same
// drives at the same time.
func (a *Array) NewReader(o policy.Options) (*Reader, error) {
	p, err := policy.New(o, a.geometry.Data, parities)
	if err != nil {
		return nil, err
	}
	return &Reader{a: a, governor: governor{policy: p, probe: &a.options.Masks}}, nil
}

// ReadAt fills p from the array, at any offset. Members are read in whole chunks. In each stripe, a
// concurrent write is seen completely or not at all.
func (a *Array) ReadAt(p []byte, off int64) (int, error) { return a.reader.ReadAt(p, off) }

// ReadAt is like [Array.ReadAt], with the reader's policy.
func (r *Reader) ReadAt(p []byte, off int64) (int, error) {
	a := r.a
	if err := a.gate.enter(); err != nil {
		return 0, err
	}
	defer a.gate.leave()
	if off >= a.Size() && off >= 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), a.Size()-max(off, 0)))
	if err := a.check(n, off); err != nil {
		return 0, err
	}
	all := span{p[:n], off}
	for parts := range a.geometry.Steps(all.extent(), a.options.Window) {
		if err := r.readStep(all, parts); err != nil {
			return int(parts[0].Off - off), err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// readStep reads the one or two parts of a step.
func (r *Reader) readStep(all span, parts []Extent) error {
	a, last := r.a, parts[len(parts)-1]
	step := all.part(Extent{parts[0].Off, last.end() - parts[0].Off})
	lock := a.locks.read(a.geometry.stripes(step))
	defer a.locks.release(lock)
	if r.readStraight(step) {
		return nil
	}
	if len(parts) == 1 {
		return r.readStripes(step)
	}
	second := make(chan error, 1)
	go func() { second <- r.readStripes(all.part(last)) }()
	return errors.Join(r.readStripes(all.part(parts[0])), <-second)
}

// readStripes reads all stripes of a span at once. If too many members fail, it reads the stripes
// one by one, because each member may have a bad sector in another stripe.
func (r *Reader) readStripes(s span) error {
	err := r.readAtOnce(s)
	stripes := r.a.geometry.spans(s.p, s.off, 1)
	if len(stripes) == 1 || !errors.Is(err, ErrUnreadable) {
		return err
	}
	for _, stripe := range stripes {
		if err := r.readAtOnce(stripe); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) readAtOnce(s span) error {
	a := r.a
	from, to := a.geometry.stripes(s)
	f, err := a.fetch(&r.governor, from, int(to-from), a.geometry.touched(s).members(), func(member int, buf []byte) {
		a.geometry.scatter(s, member, buf)
	})
	if err != nil {
		return err
	}
	f.drop()
	return nil
}
