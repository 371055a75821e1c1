package local

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
)

// Options set which data are sampled, and how rows are made.
type Options struct {
	Activity activity.Options // settings of the rows: metrics, step, system and peer groups
	Dir      string           // directory to record into; if it is empty, nothing is recorded
	Devices  []string         // patterns of the names that the kernel gives to devices; empty means all devices
	// NoLatency turns off the measurement of the latencies of single requests. This measurement
	// needs privileges.
	NoLatency bool
}

// A Source is an ingest.Source of this machine's rows.
type Source struct {
	*activity.Local
	remarks remarks
	stop    context.CancelFunc
	ended   chan struct{}
}

// Warnings lists the devices that are left out, and the data that cannot be sampled.
func (s *Source) Warnings() []ingest.Warning { return append(s.remarks.all(), s.Local.Warnings()...) }

// Close ends sampling. If samples are recorded, their file is complete after Close.
func (s *Source) Close() error {
	s.stop()
	<-s.ended
	return nil
}

// remarks keeps the messages that sampling has logged. They are shown as warnings.
type remarks struct {
	mu   sync.Mutex
	list []ingest.Warning
}

// mostRemarks is the largest number of warnings that are kept. There are few causes of warnings, so
// this number is enough.
const mostRemarks = 20

func (r *remarks) all() []ingest.Warning {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

// Enabled reports whether a level is a warning or an error.
func (r *remarks) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle stores a record of the log as a warning.
func (r *remarks) Handle(_ context.Context, record slog.Record) error {
	text := record.Message
	record.Attrs(func(a slog.Attr) bool {
		text += ": " + strings.TrimSpace(a.Value.String())
		return true
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) < mostRemarks {
		r.list = append(r.list, ingest.Warning{Text: text})
	}
	return nil
}

// WithAttrs returns the handler itself, because sampling uses neither attributes nor groups.
func (r *remarks) WithAttrs([]slog.Attr) slog.Handler { return r }

// WithGroup returns the handler itself (see WithAttrs).
func (r *remarks) WithGroup(string) slog.Handler { return r }
