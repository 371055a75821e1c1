package arrays

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Service is how a LUN answers while nobody else asks: a request takes the
// time to get to its data and the time to move them.
type Service struct {
	ReadMs   float64 `above:"0"` // to the data
	WriteMs  float64 `above:"0"` // into the controller's cache, which mostly takes writes
	KiBPerMs float64 `above:"0"`
	Drives   int     `least:"1"` // requests that are under way at a time
}

// defaultService is a RAID of 8+2 drives (L13 Figure 4) behind a controller
// that reads ahead and writes back.
func defaultService() Service {
	return Service{ReadMs: 5, WriteMs: 1.5, KiBPerMs: 100, Drives: 8}
}

// Validate reports what no LUN can be like.
func (s Service) Validate() error { return bounds.Check(s) }

// ms is the service time of a request.
func (s Service) ms(f Stream) float64 {
	if f.Write {
		return s.WriteMs + f.KiB/s.KiBPerMs
	}
	return s.ReadMs + f.KiB/s.KiBPerMs
}

// Utilisation is how much of its drives' time a load takes.
func (s Service) Utilisation(load []Stream) float64 {
	busy := 0.0
	for _, f := range load {
		busy += f.PerSecond * s.ms(f) / 1000
	}
	return busy / float64(s.Drives)
}

// full bounds the Utilisation: clients wait for answers, so no queue grows
// for ever.
const full = 0.95

// waitMs is the mean time in the queue: hardly any while drives are free,
// steeply more towards saturation. Service times are stretched by slow.
func (s Service) waitMs(load []Stream, slow float64) float64 {
	perSecond := 0.0
	for _, f := range load {
		perSecond += f.PerSecond
	}
	if perSecond == 0 {
		return 0
	}
	busy := s.Utilisation(load) * slow
	meanMs := 1000 * busy * float64(s.Drives) / perSecond
	return meanMs * queueing(s.Drives, min(busy, full))
}

// queueing is the mean wait of M/M/c in service times, by Erlang's formula.
func queueing(c int, busy float64) float64 {
	term, sum := 1.0, 0.0 // of the chances, not yet normalised, that k are under way
	for k := range c {
		sum += term
		term *= busy * float64(c) / float64(k+1)
	}
	all := term / (1 - busy) // c are
	return all / (sum + all) / (float64(c) * (1 - busy))
}
