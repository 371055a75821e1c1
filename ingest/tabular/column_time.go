package tabular

import (
	"bytes"
)

// NoTimeFault returns the fault of a text that is not a time, and a function that returns advice
// for the user. The parameter `ns` is the result of Clock.Parse for the text.
func (w *Want) NoTimeFault(ns int64, text []byte, watch *Clock) (k Fault, hint func() string) {
	switch missing := IsMissing(bytes.TrimSpace(text)); {
	case !w.Required && missing:
		return noFault, nil
	case !w.Required:
		return notTime, nil
	case missing:
		return MissingTime, nil
	case ns == strangeTime:
		k = StrangeTime
	case ns == skippedTime:
		k = SkippedTime
	default:
		k = BadTime
	}
	return k, func() string { return watch.Hint(text) }
}
