package testbench

// A stranger reads from the disk, and the server's kernel does not see it. Its requests go to the
// head of the queue, but it sends the next request only after the answer to the last. So a request
// of the stranger is served after each request of the server.
type stranger struct {
	strength float64 // number of requests for each request of the server; 0: no stranger
	owed     float64
	at       float64
	rests    float64 // time until which it sends no request while the server is idle
}

// wants reports whether the stranger has a request now, and returns its position.
func (s *stranger) wants(now float64, idle bool) (at float64, ok bool) {
	return s.at, s.strength > 0 && (s.owed >= 1 || idle && now >= s.rests)
}

// passed counts a request of the server, after which the stranger may have its turn.
func (s *stranger) passed() { s.owed = min(s.owed+s.strength, max(1, s.strength)) }

func (s *stranger) served(now, seconds, bytes float64) {
	s.owed = max(0, s.owed-1)
	s.at += bytes
	s.rests = now + seconds*max(0, 1/s.strength-1)
}

// Disturb starts a stranger that reads from a position on, with strength requests for each request
// of the server; 0 stops the stranger.
func (d *Disk[T]) Disturb(strength, at float64) { d.behind = stranger{strength: strength, at: at} }
