package policy

// take returns a new request, with the slices of an old request if there is one.
func (p *Policy) take() *Request {
	if len(p.free) == 0 {
		return &Request{p: p}
	}
	r := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	*r = Request{p: p, times: r.times[:0], read: r.read[:0], rebuild: r.rebuild[:0]}
	return r
}

// recycle keeps a released request for reuse when all its answers have come. A later Wake does
// nothing, because the request is over.
func (r *Request) recycle() {
	if r.released && r.out == 0 {
		r.released = false
		r.p.free = append(r.p.free, r)
	}
}
