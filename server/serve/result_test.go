package serve

import (
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/ingest/intake"
	"github.com/limpet-storage/limpet/server/api"
)

// bothSilent returns the sources of two machines without new data, as the API lists them.
func bothSilent() []api.Source {
	old := activity.ServerProgress{State: activity.Live, LastRecord: 1_700_000_000 - 7200, LagSeconds: 7200, Steps: 40}
	list := []api.Source{sourceOf(&old, 15), sourceOf(&old, 15)}
	sayOnce(list)
	return list
}

// TestSourcesSayWhy: a source that is live has a newest sample and a count, and what is
// not used has its reasons.
func TestSourcesSayWhy(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for name, test := range map[string]struct {
		source  api.Source
		state   api.SourceState
		used    int64
		dropped int64
		text    string
	}{
		"a machine that keeps up": {
			sourceOf(&activity.ServerProgress{State: activity.Live, LastRecord: now.Unix(), LagSeconds: 12, Steps: 40}, 15),
			api.SourceLive, 40, 0, "the last record of this server is 12 s old",
		},
		"a machine with late steps": {
			sourceOf(&activity.ServerProgress{State: activity.Live, LastRecord: now.Unix(), LagSeconds: 12, Steps: 40, LateSteps: 3, AheadSteps: 1}, 15),
			api.SourceLive, 40, 4,
			"the last record of this server is 12 s old; not used: 3 arrived too late: their time step was already compared, 1 from a machine whose clock is too far ahead",
		},
		"a machine that stopped as all others did": {
			sourceOf(&activity.ServerProgress{State: activity.Live, LastRecord: now.Unix() - 7200, LagSeconds: 7200, Steps: 40, Trouble: "its clock jumps"}, 15),
			api.SourceSilent, 40, 0, "the server has sent no data for 2 h; check whether the server and its recorder run",
		},
		"the first of two machines that stopped": {
			bothSilent()[0], api.SourceSilent, 40, 0, "the server has sent no data for 2 h, like all other servers",
		},
		"a machine that records every ten minutes": {
			sourceOf(&activity.ServerProgress{State: activity.Live, LastRecord: now.Unix() - 1200, LagSeconds: 1200, Steps: 40}, 600),
			api.SourceLive, 40, 0, "the last record of this server is 20 min old",
		},
		"a machine with an interval that is too long": {
			sourceOf(&activity.ServerProgress{State: activity.Late, LastRecord: now.Unix() - 2300, LagSeconds: 2300, Coarse: 1200, Trouble: "the interval is too long"}, 15),
			api.SourceLive, 0, 0, "the interval is too long",
		},
		"a machine with an interval that is too long, and without new records": {
			sourceOf(&activity.ServerProgress{State: activity.Live, LastRecord: now.Unix() - 7200, LagSeconds: 7200, Coarse: 1200, Trouble: "the interval is too long"}, 15),
			api.SourceSilent, 0, 0, "the server has sent no data for 2 h; check whether the server and its recorder run",
		},
		"a machine without a record": {
			sourceOf(&activity.ServerProgress{State: activity.Live}, 15),
			api.SourceReading, 0, 0, "no data of this server have arrived yet",
		},
		"a directory that is not there": {
			awaited(activity.Awaited{Path: "d", Text: "d: not there yet"}), api.SourceFailing, 0, 0, "d: not there yet",
		},
		"a directory without files": {
			awaited(activity.Awaited{Path: "d", Exists: true, Text: "d: no activity files yet"}), api.SourceSilent, 0, 0, "d: no activity files yet",
		},
		"a sender": {
			sender(intake.SourceStatus{Up: true, Heard: now, Kept: 90, Dropped: 22374, Late: 2, Duplicate: 1}, now),
			api.SourceLive, 90, 22377,
			"the sender sends data; not used: 22,374 of series that limpet does not need, 2 arrived too late, 1 arrived twice",
		},
		"an endpoint that was never asked": {
			sender(intake.SourceStatus{Up: true}, now),
			api.SourceReading, 0, 0, "no data have arrived from this sender yet",
		},
		"one sample that is refused": {
			sender(intake.SourceStatus{Up: true, Heard: now, Kept: 1, Refused: 1}, now),
			api.SourceLive, 1, 1, "the sender sends data; not used: 1 with an invalid name, time or value",
		},
	} {
		s := test.source
		if s.State != test.state || s.Samples != test.used || s.Dropped != test.dropped || s.Text != test.text {
			t.Errorf("%s: %s, %d used, %d not, %q", name, s.State, s.Samples, s.Dropped, s.Text)
		}
	}
}
