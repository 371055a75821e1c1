package watch

import (
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/topology"
)

// Options say what is watched, where it is remembered, and who hears of it.
type Options struct {
	Paths      []string         // activity files, and directories of them, that are followed
	MayBeEmpty []string         // of Paths: nothing is said where they have no files
	StateDir   string           // where everything is remembered
	System     *topology.System // nil: what the files show
	// ChangeTopology goes on where the state was made with another topology, and lets
	// incidents at what is no longer named end.
	ChangeTopology bool
	Peers          topology.Peers // who is compared with whom where System is nil
	Diagnose       engine.Options // questions and bounds

	StepSeconds int64            // of a row; 0: what the first files allow
	LateSeconds int64            // that a step is kept open for those who are behind; 0: two steps
	Until       func() time.Time // no step after this time is closed yet: files are still written of earlier ones; nil: nobody says so
	Poll        time.Duration    // how often files are looked at; 0: a step, fifteen seconds at most

	Alert     alert.Options
	History   history.Options
	Retention ledger.Retention

	// A snapshot is made so often, and whenever so many bytes were logged.
	SnapshotEvery time.Duration
	SnapshotBytes int64
	// TickSeconds is how often alerts and suspects are looked at, in the time of rows.
	TickSeconds int64
	// RereadSeconds of files are read again where the state that was saved cannot be
	// used: another version of limpet made it, or other settings did.
	RereadSeconds int64

	// Once reads what is there, saves and ends.
	Once bool

	Version string
	Now     func() time.Time // the clock
	// Report hears of each trouble as it begins and as it ends, a sentence each.
	Report func(sentence string)
}

// DefaultOptions watch nothing yet, and have no clock. A snapshot every twelve hours means
// that a restart after a kill pushes twelve hours of rows again at the most, which takes
// about twenty-five seconds of a processor for ten thousand components; to save them every hour would take a
// tenth of all the time that their diagnosis takes. 256 MB of log are about as much work in a
// backlog. Three days of files show again whatever lasts.
func DefaultOptions() Options {
	return Options{
		Diagnose: engine.DefaultOptions(), Alert: alert.DefaultOptions(), History: history.DefaultOptions(), Retention: ledger.DefaultRetention(),
		SnapshotEvery: 12 * time.Hour, SnapshotBytes: 256 << 20, TickSeconds: 60, RereadSeconds: 3 * 24 * 3600,
		Report: func(string) {},
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := []error{o.Diagnose.Validate(), o.Alert.Validate(), o.History.Validate(), o.Retention.Validate()}
	if len(o.Paths) == 0 {
		errs = append(errs, errors.New("nothing is watched: name a directory of activity files"))
	}
	if o.Now == nil {
		errs = append(errs, errors.New("no clock is handed in"))
	}
	if o.StateDir == "" {
		errs = append(errs, errors.New("no directory for the state is named"))
	}
	for name, v := range map[string]int64{"step": o.StepSeconds, "late": o.LateSeconds, "reread": o.RereadSeconds} {
		if v < 0 {
			errs = append(errs, fmt.Errorf("%s: %d seconds cannot be; use 0 or more", name, v))
		}
	}
	if o.TickSeconds < 1 || o.SnapshotBytes < 1 || o.SnapshotEvery < time.Second {
		errs = append(errs, errors.New("ticks, snapshots: at least a second and a byte are needed"))
	}
	return errors.Join(errs...)
}
