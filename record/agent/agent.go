package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/limpet-storage/limpet/record"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// Run records this machine until ctx is done and says on stderr what went
// wrong meanwhile. With Options.Once it prints one sample on stdout instead.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Once {
		return once(stdout, o)
	}
	return run(ctx, o, newLog(stderr))
}

func run(ctx context.Context, o Options, log *slog.Logger) error {
	m, err := openMachine(o, log)
	if err != nil {
		return err
	}
	defer m.close()
	manager, err := dialManager(os.Getenv, o.Record.Interval)
	if err != nil {
		log.Warn("the recorder cannot notify systemd that it runs", "error", err)
	}
	defer manager.close()
	defer context.AfterFunc(ctx, manager.stopping)()
	heard := listeners{manager}
	if o.Listen != "" {
		s, err := serve(o, m, log)
		if err != nil {
			return err
		}
		defer s.close()
		heard = append(heard, s)
	}
	o.Record.File.CPUs, o.Record.File.Custom = m.cpus, m.custom()
	o.Record.Listener, o.Record.Log = heard, log
	r, err := record.New(o.Record, m)
	if err == nil {
		err = r.Run(ctx)
	}
	return withHint(err)
}

// withHint says what to do about a directory that is somebody else's.
func withHint(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: record as a user who may write to this directory, or name another directory", err)
	}
	return err
}

// listeners get each sample one after the other.
type listeners []record.Listener

func (l listeners) Hear(t time.Time, uptime uint64, s *sysstat.Sample) {
	for _, one := range l {
		one.Hear(t, uptime, s)
	}
}

// newLog logs to w. The journal has the time of each line by itself.
func newLog(w io.Writer) *slog.Logger {
	o := slog.HandlerOptions{}
	if os.Getenv("JOURNAL_STREAM") != "" {
		o.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}
	}
	return slog.New(slog.NewTextHandler(w, &o))
}
