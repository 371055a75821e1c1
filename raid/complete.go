package raid

import "slices"

// complete computes the records of a batch that some members, lacks, do not have, from the records
// of the other members, and reports whether it could. A drive can lose the record of the last batch
// although it reported a sync. Other members may already have the batch in place, so the batch must
// not be dropped. earlier holds the valid batches before this batch. complete writes nothing to
// members.
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

// afterBatch returns all chunks of a stripe as they are after a batch. A chunk comes from the
// record of the batch, else from the record of an earlier batch, else from its place on the member.
// The chunks of absent members are computed.
func (a *Array) afterBatch(s slot, earlier []slot, stripe int64, absent set) (chunks [][]byte, free func(), err error) {
	r := a.roster.Load()
	chunks, errs := ask(r.members, r.written()&^absent, orFail(a.options.Deadline), a.pool.Put, func(i int, _ Member) ([]byte, error) {
		chunk := a.pool.Get(ChunkSize)
		for _, batch := range slices.Backward(append(slices.Clone(earlier), s)) {
			if after := batch.records[i].chunkOf(stripe); after != nil {
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

// stripes returns the stripes of which the batch writes chunks, and the range that the batch sets
// to zero.
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

// chunkOf returns the chunk that a record writes to a stripe; nil: none.
func (r *record) chunkOf(stripe int64) []byte {
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
