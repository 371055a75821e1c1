package incident

import (
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Options are the settings for opening, merging and ending incidents. No user sets them, because
// all of them follow from the settings of the detectors.
type Options struct {
	Criteria criteria.Options
	// ResourceRecoverSeconds and ResourceClearSeconds replace RecoverSeconds and OverSeconds for
	// incidents about servers. With the default settings these two times are shorter, because
	// servers are judged much more often than components. If a step is at most 16 s long, servers
	// are judged at least every 32 s.
	ResourceRecoverSeconds int64
	ResourceClearSeconds   int64
}

// recoveryTimes returns two durations, in seconds, for incidents of a class. After `recovers`
// seconds of quiet ticks, an incident recovers. After `clears` seconds of quiet ticks, it is over.
// A tick is quiet if the incident could be judged, and there was no finding about it.
func (o *Options) recoveryTimes(of finding.Class) (recovers, clears int64) {
	if of.IsAboutServer() {
		return o.ResourceRecoverSeconds, o.ResourceClearSeconds
	}
	return o.Criteria.RecoverSeconds, o.Criteria.OverSeconds
}
