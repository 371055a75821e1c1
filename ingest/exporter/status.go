package exporter

import (
	"time"
)

// Status is what is known of a machine.
type Status struct {
	Server string
	Sender string    // the one that is heard
	Heard  time.Time // when it last was
	Last   time.Time // time of its last sample
	Counts Counts
	// Trouble is a sentence, empty where there is none.
	Trouble string
}

// troubleLasts is how long a sentence is shown after its last cause.
const troubleLasts = 15 * time.Minute

// Status tells of all machines, by name, and of samples that are of none.
func (j *Joiner) Status(now time.Time) (list []Status, trouble string) {
	for _, m := range j.sorted() {
		s := Status{Server: m.Name, Last: m.Last(), Counts: m.Counts, Trouble: m.Trouble(now)}
		s.Sender, s.Heard = m.Heard()
		list = append(list, s)
	}
	if now.Sub(j.troubled) < troubleLasts {
		trouble = j.trouble
	}
	return list, trouble
}
