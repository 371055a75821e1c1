package exporter

import (
	"fmt"
	"time"
)

// troubleLasts is how long a problem is shown after it last occurred.
const troubleLasts = 15 * time.Minute

// trouble is the last problem, as a sentence.
type trouble struct {
	text string
	at   time.Time
}

// say records a problem. Another problem within a second is dropped, to bound
// the cost.
func (t *trouble) say(now time.Time, format string, args ...any) {
	if t.text != "" && now.Sub(t.at) < time.Second && now.Sub(t.at) >= 0 {
		return
	}
	t.text, t.at = fmt.Sprintf(format, args...), now
}

// sentence returns the problem to show now, or "".
func (t *trouble) sentence(now time.Time) string {
	if now.Sub(t.at) > troubleLasts {
		return ""
	}
	return t.text
}

// clip returns the beginning of a text from outside, for a sentence.
func clip(b []byte) []byte { return b[:min(len(b), 40)] }
