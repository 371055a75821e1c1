package exporter

import (
	"fmt"
	"time"
)

// machineTroubleLasts is how long a sentence is shown after its last cause.
const machineTroubleLasts = 15 * time.Minute

// trouble is the last sentence on what went wrong.
type trouble struct {
	text string
	at   time.Time
}

// say notes a sentence. One that is repeated within a second costs nothing.
func (t *trouble) say(now time.Time, format string, args ...any) {
	if t.text != "" && now.Sub(t.at) < time.Second && now.Sub(t.at) >= 0 {
		return
	}
	t.text, t.at = fmt.Sprintf(format, args...), now
}

// sentence is what is to be shown now.
func (t *trouble) sentence(now time.Time) string {
	if now.Sub(t.at) > machineTroubleLasts {
		return ""
	}
	return t.text
}

// clip is the beginning of what others wrote, for a sentence.
func clip(b []byte) []byte { return b[:min(len(b), 40)] }
