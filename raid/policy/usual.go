package policy

import (
	"math/bits"
	"time"
)

// medianStep is by what part a recent median moves towards an answer: it
// doubles within 35 answers and is some percent off otherwise.
const medianStep = 1.02

// usual is how long members recently took for reads, by the power of two of
// their size.
type usual [bits.UintSize + 1]time.Duration

// median is the recent one of reads of about that size, 0 where there was none.
func (u *usual) median(bytes int) time.Duration { return u[class(bytes)] }

func class(bytes int) int { return bits.Len(uint(max(bytes, 0))) }

// tell learns of the median of a request or, where it has none, of an answer.
func (u *usual) tell(bytes int, took time.Duration) {
	switch m := &u[class(bytes)]; {
	case *m == 0:
		*m = max(took, 1)
	case took > *m:
		*m = times(*m, medianStep) + 1
	default:
		*m = max(times(*m, 1/medianStep), 1)
	}
}
