package policy

// take returns a request as new, with the slices of an old one.
func (p *Policy) take() *Request {
	if len(p.free) == 0 {
		return &Request{p: p}
	}
	r := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	*r = Request{p: p, times: r.times[:0], read: r.read[:0], rebuild: r.rebuild[:0]}
	return r
}

// recycle keeps a request for later that nobody will speak of any more. A Wake
// that comes nevertheless finds it over.
func (r *Request) recycle() {
	if r.released && r.out == 0 {
		r.released = false
		r.p.free = append(r.p.free, r)
	}
}
