package serve

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// deliverFor is how long a run that ends waits for its notifications to be taken. What
// is left is delivered by the next run.
const deliverFor = 30 * time.Second

// Once reads what there is, tells whom it concerns, writes how things stand, and ends. The
// next run goes on from there.
func Once(ctx context.Context, c config.Config, o Options, out io.Writer) (err error) {
	if c.Cluster != nil {
		return errors.New("--once cannot be used with a cluster, because a cluster runs until it is stopped: remove --once, or remove the section \"cluster\" from the configuration")
	}
	s := &Service{o: o, config: c}
	defer func() { err = errors.Join(err, s.Close()) }()
	system, err := loadTopology(c.Topology, o.Report)
	if err != nil {
		return err
	}
	policy, err := loadPolicy(c.Policy)
	if err != nil {
		return err
	}
	w := s.watchOptions(system)
	w.Once = true
	_, found := os.Stat(w.StateDir)
	one, err := watch.Open(ctx, w)
	if err != nil {
		return err
	}
	s.watch = one
	if err := s.watch.Run(ctx); err != nil {
		return err
	}
	if s.outbox, err = s.tell(ctx, &s.config.Alerts); err != nil {
		return err
	}
	s.deliver(ctx)
	now := s.watch.Result()
	if now.Waiting != "" {
		return errors.New(now.Waiting)
	}
	if errors.Is(found, fs.ErrNotExist) {
		o.Report("limpet has created the directory " + w.StateDir + " for its saved state. The next run with the same arguments continues from this state")
	}
	subject := now.Subject
	subject.Policy = policy
	return report.WriteText(out, subject, now.Standing)
}

// deliver waits until everybody was told, or for long enough.
func (s *Service) deliver(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, deliverFor)
	defer stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		queued, failing := 0, 0
		for _, r := range s.receivers() {
			queued += r.Queued
			if r.Queued > 0 && r.Failures > 0 {
				failing++
				s.o.Report("notifications cannot be delivered to receiver " + r.Receiver + ": " + r.Trouble)
			}
		}
		if queued == 0 || failing > 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
