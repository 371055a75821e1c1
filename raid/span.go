package raid

// A span is a caller's buffer and its offset in the array.
type span struct {
	p   []byte
	off int64
}

func (s span) end() int64     { return s.off + int64(len(s.p)) }
func (s span) extent() Extent { return Extent{s.off, int64(len(s.p))} }

// part returns the part of a span in an extent. The extent must lie within the span.
func (s span) part(e Extent) span { return span{s.p[e.Off-s.off:][:e.Len], e.Off} }

// spans cuts a request into pieces of window stripes, counted from its first stripe.
func (g Geometry) spans(p []byte, off int64, window int) []span {
	all := span{p, off}
	var list []span
	for e := range g.windows(all.extent(), window) {
		list = append(list, all.part(e))
	}
	return list
}

// stripes returns the range of stripes that a span touches: from … to-1.
func (g Geometry) stripes(s span) (from, to int64) { return g.StripesOf(s.extent()) }

// touched returns the data members that hold bytes of a span.
func (g Geometry) touched(s span) set { return g.holders(s.extent()) }

// scatter copies a member's chunks of a span's stripes to their places in the span. buf holds the
// chunks one after the other.
func (g Geometry) scatter(s span, member int, buf []byte) {
	from, _ := g.stripes(s)
	at := from*g.stripeSize() + int64(member)*ChunkSize // offset of the chunk in the array
	for ; len(buf) > 0; buf, at = buf[ChunkSize:], at+g.stripeSize() {
		lo, hi := max(at, s.off), min(at+ChunkSize, s.end())
		if lo < hi {
			copy(s.p[lo-s.off:hi-s.off], buf[lo-at:hi-at])
		}
	}
}
