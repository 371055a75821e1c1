package exporter

import (
	"time"
)

// Status is the state of a server.
type Status struct {
	Server string
	Sender string    // sender or scraped endpoint whose samples are used
	Heard  time.Time // time of the last request or scrape of the sender
	Last   time.Time // time of the last sample of the sender
	Counts Counts
	// Trouble is a sentence about a problem. It is empty if there is no
	// problem.
	Trouble string
}

// Status returns the states of all servers, sorted by name. The second result
// is a sentence about samples whose server cannot be found.
func (a *Assembler) Status(now time.Time) (list []Status, trouble string) {
	for _, m := range a.sortedServers() {
		s := Status{Server: m.Name, Last: m.Last(), Counts: m.Counts, Trouble: m.Trouble(now)}
		s.Sender, s.Heard = m.ActiveSource()
		list = append(list, s)
	}
	if now.Sub(a.troubled) < troubleLasts {
		trouble = a.trouble
	}
	return list, trouble
}
