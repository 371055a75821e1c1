package watch

import (
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the settings of a watch: its input, its state directory and its outputs.
type Options struct {
	Paths      []string         // activity files to follow, and directories with activity files
	MayBeEmpty []string         // paths that may have no files; for other paths, missing files are reported as a trouble
	StateDir   string           // the state directory
	System     *topology.System // topology; if it is nil, the topology is derived from the files
	// ChangeTopology makes the watch accept a topology that differs from the topology of the saved
	// state. An incident ends if the new topology does not name its place.
	ChangeTopology bool
	Peers          topology.Peers // rule that groups components into peer groups if System is nil
	Diagnose       engine.Options // settings of the engine
	// NewLedger makes the watch accept a state without its ledger. If the ledger is missing or
	// empty, the watch begins a new ledger. If the ledger belongs to another state, the watch
	// continues with this ledger.
	NewLedger bool
	// Damage has sentences about damaged files of the state that other packages have found. The watch
	// adds them to the trouble "damage".
	Damage []string

	StepSeconds int64 `name:"step seconds"` // length of a step in seconds; if it is 0, the watch takes the length from the first files
	LateSeconds int64 `name:"late seconds"` // time for which a step waits for late servers, in seconds; 0 means the length of two steps
	// Until returns a time. A step that ends after this time stays open, because its files are
	// still being written. If Until is nil, no step stays open.
	Until func() time.Time
	Poll  time.Duration // interval at which files are read; 0 means the length of one step, but at most fifteen seconds

	Alert     alert.Options
	History   history.Options
	Retention ledger.Retention

	// SnapshotEvery is the longest time between two snapshots. If the log reaches SnapshotBytes
	// earlier, a snapshot is made at that moment.
	SnapshotEvery time.Duration `name:"snapshot interval" least:"1s"`
	SnapshotBytes int64         `name:"snapshot bytes" least:"1"`
	// TickSeconds is the interval at which alerts and suspects are updated, in seconds of row time.
	TickSeconds int64 `name:"tick seconds" least:"1"`
	// RereadSeconds applies if the saved state cannot be used, for example because this version of
	// limpet does not read the form of the state. The watch then reads the files again, beginning
	// RereadSeconds before the last row.
	RereadSeconds int64 `name:"reread seconds"`

	// Once makes Run read the files to their end, save the state and return.
	Once bool

	Version string
	Now     func() time.Time // returns the present time
	// Report receives sentences about the progress of the watch, and about the end of a trouble.
	Report func(sentence string)
	// Warn receives a sentence when a trouble begins or changes. If Warn is nil, Report receives
	// the sentence.
	Warn func(sentence string)
}

// DefaultOptions returns the default options. The caller must add the paths, the state directory
// and the clock.
//
// A snapshot is made every twelve hours. So a restart after a kill replays at most twelve hours of
// rows. For ten thousand components, the replay takes about 25 seconds of CPU time. With a snapshot
// every hour, the snapshots would take a tenth as much CPU time as the diagnosis itself.
//
// A snapshot is also made when the log has 256 MB, because the replay of 256 MB takes about 25
// seconds too. After its start, limpet reads old files. The log then reaches this size much earlier
// than after twelve hours.
//
// If the saved state cannot be used, the files of three days are read again. This is enough to find
// every incident that still lasts.
func DefaultOptions() Options {
	return Options{
		Diagnose: engine.DefaultOptions(), Alert: alert.DefaultOptions(), History: history.DefaultOptions(), Retention: ledger.DefaultRetention(),
		SnapshotEvery: 12 * time.Hour, SnapshotBytes: 256 << 20, TickSeconds: 60, RereadSeconds: 3 * 24 * 3600,
		Report: func(string) {},
	}
}

// Validate returns an error that names every setting with an invalid value.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(o), o.Diagnose.Validate(), o.Alert.Validate(), o.History.Validate(), o.Retention.Validate()}
	errs.Need(len(o.Paths) > 0, "no data are given: name a directory of activity files")
	errs.Need(o.Now != nil, "internal error: the diagnosis has no source of the current time")
	errs.Need(o.StateDir != "", "no directory for the saved state is given: name a directory (--state)")
	return errs.Join()
}
