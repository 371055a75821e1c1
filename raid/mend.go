package raid

import "errors"

// mendQueue is the largest number of stripes that wait for repair. A stripe that does not fit is
// found again by the next read of it, or by a scrub.
const mendQueue = 1024

// queueRepair counts the damaged chunks of a member, and queues their stripes for repair from the
// other members. The reader that found them goes on without them.
func (a *Array) queueRepair(r *roster, i int, err error) {
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

// mendRotten repairs queued stripes until the array is closed. It checks each stripe again, because
// the stripe may have been written meanwhile.
func (a *Array) mendRotten() {
	defer close(a.mended)
	for stripe := range a.rotten {
		if a.gate.closing.Err() != nil {
			continue
		}
		s := Scrub{quiet: true}
		_ = a.scrubStripes(&s, stripe, stripe+1, true) // if it fails, the next read queues the stripe again
	}
}
