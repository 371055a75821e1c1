package raid

import "slices"

// complete makes the records of a batch that members lack, where parity covers
// them, from those that are there. A drive that lost the record of the last
// batch, although it had said that it was synced, would otherwise have that
// batch dropped, which the others may have in place already. Nothing is
// written. earlier are the batches before it that count.
func (a *Array) complete(s *slot, earlier []slot, lacks set) bool {
	r := a.roster.Load()
	absent := lacks | r.lost
	if absent.count() > parities {
		return false
	}
	stripes, zero := s.stripes()
	made := map[int]*record{}
	for _, i := range lacks.members() {
		made[i] = newRecord(a.pool, len(stripes), a.geometry.Checksums)
		made[i].zero = zero
	}
	for _, stripe := range stripes {
		chunks, free, err := a.afterBatch(*s, earlier, stripe, absent)
		if err == nil {
			for i, rec := range made {
				rec.add(stripe, chunks[i])
			}
		}
		free()
		if err != nil {
			for _, rec := range made {
				rec.done()
			}
			return false
		}
	}
	for i, rec := range made {
		s.records[i].done()
		rec.seal(a.ID(), i, s.seq())
		s.records[i] = rec
	}
	s.completed = lacks
	return true
}

// afterBatch is all chunks of a stripe after a batch: of its records, of those
// of the batches before it, or in place; and what is absent, computed.
func (a *Array) afterBatch(s slot, earlier []slot, stripe int64, absent set) (chunks [][]byte, free func(), err error) {
	r := a.roster.Load()
	chunks, errs := ask(r.members, r.written()&^absent, orFail(a.options.Deadline), a.pool.Put, func(i int, _ Member) ([]byte, error) {
		chunk := a.pool.Get(ChunkSize)
		for _, batch := range slices.Backward(append(slices.Clone(earlier), s)) {
			if after := batch.records[i].of(stripe); after != nil {
				copy(chunk, after)
				return chunk, nil
			}
		}
		return chunk, r.readChunks(i, chunk, stripe)
	})
	free = func() {
		for _, chunk := range chunks {
			a.pool.Put(chunk)
		}
	}
	for i := range chunks {
		if chunks[i] == nil {
			chunks[i] = a.pool.Get(ChunkSize)
		}
	}
	for i, err := range errs {
		if err != nil {
			absent = absent.with(i)
		}
	}
	if absent.count() > parities {
		return chunks, free, ErrUnreadable
	}
	holes := slices.Clone(chunks)
	for _, i := range absent.members() {
		holes[i] = holes[i][:0]
	}
	return chunks, free, a.coder.rebuild(holes, absent)
}

// stripes are those that the batch of a slot changes, or has zeros.
func (s slot) stripes() (list []int64, zero stripeRange) {
	for _, r := range s.records {
		if r == nil || r.seq() != s.seq() {
			continue
		}
		zero = r.zero
		for i := range r.chunks {
			list = append(list, r.stripe(i))
		}
	}
	slices.Sort(list)
	return slices.Compact(list), zero
}

// of is what a record writes to a stripe, nil if nothing.
func (r *record) of(stripe int64) []byte {
	if r.zero.has(stripe) {
		return zeroChunk[:]
	}
	for i := range r.chunks {
		if r.stripe(i) == stripe {
			return r.chunk(i)
		}
	}
	return nil
}
