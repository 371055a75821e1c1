package exporter

import (
	"fmt"
	"time"
)

// troubleLasts is the time for which a problem is shown after it last occurred.
const troubleLasts = 15 * time.Minute

// trouble is the last problem, as a sentence.
type trouble struct {
	text string
	time time.Time // time at which the problem occurred
}

// set stores a problem. It ignores a problem that occurs within a second after the stored problem.
// Formatting the text of every problem would take too much time.
func (t *trouble) set(now time.Time, format string, args ...any) {
	if t.text != "" && now.Sub(t.time) < time.Second && now.Sub(t.time) >= 0 {
		return
	}
	t.text, t.time = fmt.Sprintf(format, args...), now
}

// sentence returns the problem to show at the time `now`, or "" if there is no problem to show.
func (t *trouble) sentence(now time.Time) string {
	if now.Sub(t.time) > troubleLasts {
		return ""
	}
	return t.text
}

// clip returns at most the first 40 bytes of a text from another machine, for
// use in a sentence.
func clip(b []byte) []byte { return b[:min(len(b), 40)] }
