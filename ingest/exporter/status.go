package exporter

import (
	"time"
)

// Status is the state of a server.
type Status struct {
	Server string
	Sender string    // active source
	Heard  time.Time // time of its last request or scrape
	Last   time.Time // time of its last sample
	Counts Counts
	// Trouble is a sentence, empty where there is no problem.
	Trouble string
}

// Status returns the state of all servers, by name, and the problem of samples
// without a server.
func (a *Assembler) Status(now time.Time) (list []Status, trouble string) {
	for _, m := range a.sorted() {
		s := Status{Server: m.Name, Last: m.Last(), Counts: m.Counts, Trouble: m.Trouble(now)}
		s.Sender, s.Heard = m.Heard()
		list = append(list, s)
	}
	if now.Sub(a.troubled) < troubleLasts {
		trouble = a.trouble
	}
	return list, trouble
}
