package sentence

import (
	"math"

	"github.com/limpet-storage/limpet/engine/detect/past"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/topology"
)

// MostChanceYears is the largest number of years that is stated. The model of chance is not exact
// enough to distinguish a thousand years from a million.
const MostChanceYears = 1000

// ChanceYears returns the mean number of years between two findings with this much evidence (in
// nats) anywhere in the system, if nothing is slow and only chance is at work. It is at most
// MostChanceYears. It is 0 if the result is less than a year, or if incidents of the class are not
// inferred from such evidence.
func (w *Writer) ChanceYears(class finding.Class, nats float64) float64 {
	const secondsPerYear = 365.25 * 86400
	seconds := float64(w.Schema.StepSeconds)
	switch class {
	case finding.Slow:
	case finding.Past:
		seconds = max(seconds, past.TickSeconds)
	default:
		return 0
	}
	components := w.allAttachments()
	years := math.Exp(nats) * seconds / secondsPerYear / float64(max(components, 1))
	if !(years >= 1) {
		return 0
	}
	return min(years, MostChanceYears)
}

// allAttachments returns the number of attachments of the system.
func (w *Writer) allAttachments() int {
	if w.attachments > 0 {
		return w.attachments
	}
	return attachments(w.System)
}

// attachments returns the number of components that are judged for slowness.
func attachments(s *topology.System) (n int) {
	for i := range s.Components {
		if s.Components[i].Kind == topology.Attachment {
			n++
		}
	}
	return n
}
