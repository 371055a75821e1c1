package column

import (
	"bytes"

	"github.com/limpet-storage/limpet/ingest/tabular/clock"
)

// NoTimeFault says what is wrong with a text that is no time, and what to do.
func (w *Want) NoTimeFault(ns int64, text []byte, watch *clock.Clock) (k Fault, hint func() string) {
	switch missing := IsMissing(bytes.TrimSpace(text)); {
	case !w.Required && missing:
		return Good, nil
	case !w.Required:
		return NotTime, nil
	case missing:
		return NoTime, nil
	case ns == clock.Strange:
		k = StrangeTime
	default:
		k = BadTime
	}
	return k, func() string { return watch.Hint(text) }
}
