package testbench

// A stranger reads from the disk where the server's kernel does not see it.
// His requests go to the head of the queue, but he asks for the next only when
// he has the last: so one of his is served after each of the server's.
type stranger struct {
	strength float64 // requests for each of the server's; 0: he is not there
	owed     float64
	at       float64
	rests    float64 // until then
}

// wants reports whether it is his turn, and where he reads.
func (s *stranger) wants(now float64, idle bool) (at float64, ok bool) {
	return s.at, s.strength > 0 && (s.owed >= 1 || idle && now >= s.rests)
}

// passed notes that a request of the server's is under way.
func (s *stranger) passed() { s.owed = min(s.owed+s.strength, max(1, s.strength)) }

func (s *stranger) served(now, seconds, bytes float64) {
	s.owed = max(0, s.owed-1)
	s.at += bytes
	s.rests = now + seconds*max(0, 1/s.strength-1)
}

// Disturb lets a stranger read from a place on, so many requests for each of
// the server's; 0 takes him away.
func (d *Disk[T]) Disturb(strength, at float64) { d.behind = stranger{strength: strength, at: at} }
