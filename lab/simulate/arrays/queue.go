package arrays

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Service describes how fast an idle LUN answers: the time of a request is the time until the data
// are reached, plus the time to transfer them.
type Service struct {
	ReadMs   float64 `above:"0"` // time until the data are reached
	WriteMs  float64 `above:"0"` // time of a write; mostly into the controller's cache
	KiBPerMs float64 `above:"0"`
	Drives   int     `least:"1"` // number of requests in service at a time
}

// defaultService is a RAID of 8+2 drives (L13 Figure 4) behind a controller
// that reads ahead and writes back.
func defaultService() Service {
	return Service{ReadMs: 5, WriteMs: 1.5, KiBPerMs: 100, Drives: 8}
}

// Validate returns an error that names every invalid value.
func (s Service) Validate() error { return bounds.Check(s) }

// ms returns the service time of a request.
func (s Service) ms(f Stream) float64 {
	if f.Write {
		return s.WriteMs + f.KiB/s.KiBPerMs
	}
	return s.ReadMs + f.KiB/s.KiBPerMs
}

// Utilisation returns the share of its drives' time that a load takes.
func (s Service) Utilisation(load []Stream) float64 {
	busy := 0.0
	for _, f := range load {
		busy += f.PerSecond * s.ms(f) / 1000
	}
	return busy / float64(s.Drives)
}

// full bounds the Utilisation: clients wait for answers, so no queue grows without limit.
const full = 0.95

// waitMs returns the mean time in the queue: nearly none while drives are free, and much near
// saturation. Service times are multiplied by slow.
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

// queueing returns the mean wait of M/M/c in service times, by Erlang's formula.
func queueing(c int, busy float64) float64 {
	term, sum := 1.0, 0.0 // probability, not yet normalised, of k requests in service; sum of these
	for k := range c {
		sum += term
		term *= busy * float64(c) / float64(k+1)
	}
	all := term / (1 - busy) // probability, not yet normalised, that all c are busy
	return all / (sum + all) / (float64(c) * (1 - busy))
}
