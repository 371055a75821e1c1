package raid

// zeroStripes is the largest number of stripes that one batch zeroes: 64 MiB of a member. If the
// drive must write the zeros, other writes wait for no more than these 64 MiB.
const zeroStripes = 1 << 14

// zeroPiece is the size of one write of zeros in bytes, if zeros are written as data.
const zeroPiece = 1 << 20

// WriteZeroes sets a range to zeros, and returns when they are durable. With punch, members may
// free the space of the range. An array without checksums writes zeros as data, because its journal
// has no records of zeros.
func (a *Array) WriteZeroes(off, n int64, punch bool) error {
	from, to := a.geometry.within(off, n)
	if !punch || !a.geometry.Checksums || from >= to {
		return a.writeZeros(off, off+n)
	}
	if err := a.writeZeros(off, from*a.geometry.stripeSize()); err != nil {
		return err
	}
	if err := a.zeroWhole(from, to); err != nil {
		return err
	}
	return a.writeZeros(to*a.geometry.stripeSize(), off+n)
}

// Discard frees the space of the whole stripes in a range. These stripes then read as zeros. An
// array without checksums frees nothing.
func (a *Array) Discard(off, n int64) error {
	if err := a.check64(n, off); err != nil {
		return err
	}
	from, to := a.geometry.within(off, n)
	if !a.geometry.Checksums {
		return nil
	}
	return a.zeroWhole(from, to)
}

// within returns the stripes that lie completely in a range: from … to-1.
func (g Geometry) within(off, n int64) (from, to int64) {
	return (off + g.stripeSize() - 1) / g.stripeSize(), (off + n) / g.stripeSize()
}

// writeZeros writes zeros as data.
func (a *Array) writeZeros(off, end int64) error {
	zeros := make([]byte, max(0, min(zeroPiece, end-off)))
	for off < end {
		n, err := a.WriteAt(zeros[:min(int64(len(zeros)), end-off)], off)
		if err != nil {
			return err
		}
		off += int64(n)
	}
	return nil
}

// zeroWhole zeroes whole stripes on all members, with P and Q: the parity of zeros is zeros.
func (a *Array) zeroWhole(from, to int64) error {
	if err := a.enterToWrite(); err != nil {
		return err
	}
	defer a.gate.leave()
	if err := a.check64((to-from)*a.geometry.stripeSize(), from*a.geometry.stripeSize()); err != nil && from < to {
		return err
	}
	for ; from < to; from += zeroStripes {
		end := min(from+zeroStripes, to)
		lock := a.locks.write(from, end)
		err := a.submit(&intent{zero: stripeRange{from, end - from}, done: make(chan error, 1)})
		a.locks.release(lock)
		if err != nil {
			return err
		}
	}
	return nil
}

// A stripeRange is count consecutive stripes; 0: none.
type stripeRange struct{ from, count int64 }

func (s stripeRange) has(stripe int64) bool { return stripe >= s.from && stripe < s.from+s.count }

// zeroChunk is the content of a chunk after a batch of zeros.
var zeroChunk [ChunkSize]byte
