package raid

import "errors"

// mendQueue is how many stripes may wait to be mended. What does not fit is
// found by the next who reads it, or by a scrub.
const mendQueue = 1024

// foundRot counts chunks of a member that are not what was written, and has
// them mended from the others. The reader that found them goes on without them.
func (a *Array) foundRot(r *roster, i int, err error) {
	var rot *rotError
	if !errors.As(err, &rot) {
		return
	}
	r.failures[i].noteRot(rot)
	if a.options.ReadOnly {
		return
	}
	for _, stripe := range rot.stripes {
		select {
		case a.rotten <- stripe:
		default:
			return
		}
	}
}

// mendRotten runs until the array is closed. Each stripe is looked at again,
// since it may have been written meanwhile.
func (a *Array) mendRotten() {
	defer close(a.mended)
	for stripe := range a.rotten {
		if a.gate.closing.Err() != nil {
			continue
		}
		s := Scrub{quiet: true}
		_ = a.scrubStripes(&s, stripe, stripe+1, true) // the next who reads it tries again
	}
}
