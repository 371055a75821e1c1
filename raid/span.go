package raid

// A span is bytes of a caller and where they are in the array.
type span struct {
	p   []byte
	off int64
}

func (s span) end() int64     { return s.off + int64(len(s.p)) }
func (s span) extent() Extent { return Extent{s.off, int64(len(s.p))} }

// part is the bytes of a span in an extent that lies within it.
func (s span) part(e Extent) span { return span{s.p[e.Off-s.off:][:e.Len], e.Off} }

// spans cut a request where every window-th stripe from its first begins.
func (g Geometry) spans(p []byte, off int64, window int) []span {
	all := span{p, off}
	var list []span
	for e := range g.windows(all.extent(), window) {
		list = append(list, all.part(e))
	}
	return list
}

// stripes are those from the first to before the last that a span touches.
func (g Geometry) stripes(s span) (from, to int64) { return g.StripesOf(s.extent()) }

// touched are the data members that hold some of a span.
func (g Geometry) touched(s span) set { return g.holders(s.extent()) }

// scatter copies what a member holds of a span's stripes, all in a row in buf,
// to where it belongs.
func (g Geometry) scatter(s span, member int, buf []byte) {
	from, _ := g.stripes(s)
	at := from*g.stripeSize() + int64(member)*ChunkSize // of the chunk in the array
	for ; len(buf) > 0; buf, at = buf[ChunkSize:], at+g.stripeSize() {
		lo, hi := max(at, s.off), min(at+ChunkSize, s.end())
		if lo < hi {
			copy(s.p[lo-s.off:hi-s.off], buf[lo-at:hi-at])
		}
	}
}
