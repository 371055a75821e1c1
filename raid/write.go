package raid

// WriteAt writes p to the array, and returns when p is durable.
func (a *Array) WriteAt(p []byte, off int64) (int, error) {
	if err := a.enterToWrite(); err != nil {
		return 0, err
	}
	defer a.gate.leave()
	if err := a.check(len(p), off); err != nil {
		return 0, err
	}
	for _, s := range a.geometry.spans(p, off, a.geometry.Journal) {
		if err := a.writeSpan(s); err != nil {
			return int(s.off - off), err
		}
	}
	return len(p), nil
}

// writeSpan writes a span that fits into one batch. It computes P and Q from all data of a stripe,
// and reads the data that the span does not cover. So a wrong P or Q is right after a write.
func (a *Array) writeSpan(s span) error {
	from, to := a.geometry.stripes(s)
	lock := a.locks.write(from, to)
	defer a.locks.release(lock)
	parity := a.pool.Get(int(to-from) * parities * ChunkSize)
	defer a.pool.Put(parity)
	var changes []change
	for i, part := range a.geometry.spans(s.p, s.off, 1) {
		c, f, err := a.changeOf(part, parity[i*parities*ChunkSize:])
		if err != nil {
			return err
		}
		defer f.drop()
		changes = append(changes, c)
	}
	return a.commit(changes)
}

// changeOf returns the new chunks of a span within one stripe. The fetch holds the buffers that
// were read for it.
func (a *Array) changeOf(s span, parity []byte) (change, *fetch, error) {
	g := a.geometry
	stripe, _ := g.stripes(s)
	f, err := a.fetchRest(s, stripe)
	if err != nil {
		return change{}, nil, err
	}
	chunks := make([][]byte, g.Members())
	for m := range g.Data {
		chunks[m] = g.newChunk(s, stripe, m, f.bufs[m])
	}
	chunks[g.Data], chunks[g.Data+1] = parity[:ChunkSize], parity[ChunkSize:2*ChunkSize]
	if err := a.coder.encode(chunks); err != nil {
		f.drop()
		return change{}, nil, err
	}
	touched := g.touched(s)
	for m := range g.Data {
		if !touched.has(m) {
			chunks[m] = nil
		}
	}
	return change{stripe, chunks}, f, nil
}

// fetchRest reads the chunks of a stripe that a span does not cover completely.
func (a *Array) fetchRest(s span, stripe int64) (*fetch, error) {
	var want []int
	for m := range a.geometry.Data {
		if at := a.geometry.position(stripe, m); at < s.off || at+ChunkSize > s.end() {
			want = append(want, m)
		}
	}
	if len(want) == 0 {
		return &fetch{bufs: make([][]byte, a.geometry.Members())}, nil
	}
	return a.fetch(&a.background, stripe, 1, want, nil)
}

// newChunk returns a data chunk after the write: the bytes of the span, or the old chunk with the
// bytes of the span copied into it.
func (g Geometry) newChunk(s span, stripe int64, member int, old []byte) []byte {
	at := g.position(stripe, member)
	if old == nil {
		return s.p[at-s.off:][:ChunkSize]
	}
	lo, hi := max(at, s.off), min(at+ChunkSize, s.end())
	if lo < hi {
		copy(old[lo-at:hi-at], s.p[lo-s.off:hi-s.off])
	}
	return old
}

// position returns the offset of a data chunk in the array.
func (g Geometry) position(stripe int64, member int) int64 {
	return stripe*g.stripeSize() + int64(member)*ChunkSize
}
