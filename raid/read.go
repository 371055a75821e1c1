package raid

import (
	"errors"
	"io"
)

// ReadAt fills p from the array. Reads are of whole chunks; any range will do.
// A write that was under way is seen as a whole in each stripe, or not at all.
func (a *Array) ReadAt(p []byte, off int64) (int, error) {
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
	for _, s := range a.geometry.spans(p[:n], off, a.options.Window) {
		if err := a.readSpan(s); err != nil {
			return int(s.off - off), err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// readSpan reads what lies in one window. Where no member has two of the
// chunks, as in a short read over the edge of a stripe, each stripe is read by
// itself; otherwise every member is read from the first stripe to the last.
func (a *Array) readSpan(s span) error {
	from, to := a.geometry.stripes(s)
	lock := a.locks.read(from, to)
	defer a.locks.release(lock)
	if a.readStraight(s) {
		return nil
	}
	if to-from == 2 && a.geometry.chunks(s) <= a.geometry.Data {
		parts := a.geometry.spans(s.p, s.off, 1)
		second := make(chan error, 1)
		go func() { second <- a.readStripes(parts[1]) }()
		return errors.Join(a.readStripes(parts[0]), <-second)
	}
	return a.readStripes(s)
}

func (a *Array) readStripes(s span) error {
	from, to := a.geometry.stripes(s)
	f, err := a.fetch(&a.requests, from, int(to-from), a.geometry.touched(s).members(), func(member int, buf []byte) {
		a.geometry.scatter(s, member, buf)
	})
	if err != nil {
		return err
	}
	f.drop()
	return nil
}
