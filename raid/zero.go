package raid

// zeroStripes is how many stripes are zeroed as one batch: 64 MiB of a member,
// so that where the drive has to write them others wait for no more.
const zeroStripes = 1 << 14

// zeroPiece is how many zeros are written at once where they have to be.
const zeroPiece = 1 << 20

// WriteZeroes has a range read as zeros, and returns when that is durable. With
// punch, members may give the room back that it took. An array without
// checksums writes zeros: its journal knows nothing else.
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

// Discard gives the room back that a range takes, as far as it is whole
// stripes: they read as zeros. An array without checksums keeps all.
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

// within are the stripes that lie wholly in a range.
func (g Geometry) within(off, n int64) (from, to int64) {
	return (off + g.stripeSize() - 1) / g.stripeSize(), (off + n) / g.stripeSize()
}

// writeZeros writes them as any bytes.
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

// zeroWhole zeroes stripes, parity included: that of zeros is zeros.
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

// A stripeRange is stripes in a row; none where count is 0.
type stripeRange struct{ from, count int64 }

func (s stripeRange) has(stripe int64) bool { return stripe >= s.from && stripe < s.from+s.count }

// zeroChunk is what a batch of zeros writes.
var zeroChunk [ChunkSize]byte
