package policy

import (
	"math/bits"
	"time"
)

// medianStep is the factor by which an answer moves the recent median up or down. The median can
// double within 35 answers; in a steady state its error is a few percent.
const medianStep = 1.02

// usual holds the recent median latency of reads, by the power of two of their size.
type usual [bits.UintSize + 1]time.Duration

// median returns the recent median of reads of about this size; 0: none.
func (u *usual) median(bytes int) time.Duration { return u[class(bytes)] }

func class(bytes int) int { return bits.Len(uint(max(bytes, 0))) }

// add adds the median of a request, or an answer if the request has no median.
func (u *usual) add(bytes int, took time.Duration) {
	switch m := &u[class(bytes)]; {
	case *m == 0:
		*m = max(took, 1)
	case took > *m:
		*m = times(*m, medianStep) + 1
	default:
		*m = max(times(*m, 1/medianStep), 1)
	}
}
