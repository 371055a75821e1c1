package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// deliverFor is how long Once waits until its notifications are delivered. The next run delivers
// the rest.
const deliverFor = 30 * time.Second

// oldSeconds is the age of the newest data from which on Once reports it: cron may run it once a
// day.
const oldSeconds = 24 * 3600

// Once reads all available data, sends notifications, writes the result of the diagnosis, and ends.
// The next run continues from there.
func Once(ctx context.Context, c config.Config, o Options, out io.Writer) (err error) {
	if c.Cluster != nil {
		return errors.New("--once cannot be used with a cluster, because a cluster runs until it is stopped: remove --once, or remove the section \"cluster\" from the configuration")
	}
	if err := checkState(&c); err != nil {
		return err
	}
	_, found := os.Stat(c.State)
	isNew := errors.Is(found, fs.ErrNotExist)
	s := &Service{o: o, config: c}
	defer func() {
		isUseless := err != nil && isNew && len(c.Intake.Jobs)+len(c.Intake.Stores) == 0 && s.watch != nil && s.watch.Result().To == 0
		err = errors.Join(err, s.Close())
		if isUseless { // a new state without data holds nothing
			err = errors.Join(err, os.RemoveAll(c.State))
		}
	}()
	p, errs := s.prepareDiagnosis(&c)
	if err := errors.Join(errs...); err != nil {
		return err
	}
	w := s.watchOptions(&c, p.system)
	w.Once = true
	one, err := watch.Open(ctx, w)
	if err != nil {
		return err
	}
	s.watch = one
	if err := s.watch.Run(ctx); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return s.interrupted()
	}
	if err := s.startDelivery(ctx, p.to); err != nil {
		return err
	}
	s.deliver(ctx)
	now := s.watch.Result()
	if now.Waiting != "" {
		return errors.New(now.Waiting)
	}
	if isNew {
		o.Report("limpet has created the directory " + w.StateDir + " for its saved state. The next run with the same arguments continues from this state")
	}
	if text := s.heldBack(ctx); text != "" {
		o.Report(text)
	}
	if old := o.Now().Unix() - now.To; old > oldSeconds {
		o.warn("the newest data are " + english.Age(old) + " old. Check whether the recorders still write")
	}
	subject := now.Subject
	subject.Policy = p.policy
	return report.WriteText(out, subject, now.Result)
}

// interrupted returns the error of a run that was stopped before it had read all data. Such a run
// prints no result, because nobody could tell this result from the result of all data.
func (s *Service) interrupted() error {
	to := s.watch.Result().To
	if to == 0 {
		return errors.New("interrupted before any data were diagnosed")
	}
	return fmt.Errorf("interrupted: the data are diagnosed up to %s only, so no result is printed. The next run with the same arguments continues from there",
		time.Unix(to, 0).UTC().Format(time.RFC3339))
}

// deliver waits until all notifications are delivered, a receiver fails, or deliverFor has passed.
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
				s.o.warn("notifications cannot be delivered to receiver " + r.Receiver + ": " + r.Trouble)
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
