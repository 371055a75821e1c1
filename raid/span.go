package raid

// A span is bytes of a caller and where they are in the array.
type span struct {
	p   []byte
	off int64
}

func (s span) end() int64 { return s.off + int64(len(s.p)) }

// spans cut a request where every window-th stripe from its first begins.
func (g Geometry) spans(p []byte, off int64, window int) []span {
	var list []span
	for len(p) > 0 {
		end := (off/g.stripeSize() + int64(window)) * g.stripeSize()
		n := int(min(int64(len(p)), end-off))
		list = append(list, span{p[:n], off})
		p, off = p[n:], off+int64(n)
	}
	return list
}

// stripes are those from the first to before the last that a span touches.
func (g Geometry) stripes(s span) (from, to int64) {
	return s.off / g.stripeSize(), (s.end() + g.stripeSize() - 1) / g.stripeSize()
}

// chunks is how many a span touches.
func (g Geometry) chunks(s span) int {
	return int((s.end()+ChunkSize-1)/ChunkSize - s.off/ChunkSize)
}

// touched are the data members that hold some of a span.
func (g Geometry) touched(s span) set {
	n, first := g.chunks(s), int(s.off/ChunkSize%int64(g.Data))
	if n >= g.Data {
		return firstMembers(g.Data)
	}
	var members set
	for i := range n {
		members = members.with((first + i) % g.Data)
	}
	return members
}

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
