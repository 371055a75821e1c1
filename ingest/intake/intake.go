package intake

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite"
	"github.com/limpet-storage/limpet/ingest/scrape"
)

// An Intake writes activity files of what is pushed, pulled and polled into one
// directory, one machine a file and UTC day. Its methods may be called by any
// number of goroutines.
type Intake struct {
	o       Options
	spool   *exporter.Spool
	scraper *scrape.Scraper
	poller  *poller
	handler *remotewrite.Handler

	mu      sync.Mutex
	joiner  *exporter.Joiner
	senders map[string]*sender
	said    map[string]bool // sentences that were reported and still hold
}

// New opens a directory, and makes it where there is none. What a crash left
// is repaired when a machine is heard of again.
func New(dir string, o Options) (*Intake, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	i := &Intake{o: o, senders: map[string]*sender{}, said: map[string]bool{}}
	var err error
	if i.joiner, err = exporter.New(o.Exporter); err != nil {
		return nil, err
	}
	if i.handler, err = remotewrite.NewHandler(pushed{i}, o.Exporter.ServerLabel, o.Remote); err != nil {
		return nil, err
	}
	if i.scraper, err = scrape.New(o.Jobs, pulled{i}, o.Exporter.ServerLabel, o.Now); err != nil {
		return nil, err
	}
	if i.poller, err = newPoll(o.Stores, pulled{i}, o.Now); err != nil {
		return nil, err
	}
	if i.spool, err = exporter.Open(dir, o.Spool); err != nil {
		return nil, err
	}
	return i, nil
}

// Handler takes remote write requests, of version 1.0 and 2.0, at any path. It
// knows no users: who may send is decided ahead of it.
func (i *Intake) Handler() http.Handler { return i.handler }

// SetJobs replaces what is pulled. Targets that stay as they are go on.
func (i *Intake) SetJobs(jobs []scrape.Job) error { return i.scraper.SetJobs(jobs) }

// Until is the time up to which rows may be closed without those that are behind: a store
// that is still asked for the hours before has more to tell of later ones.
func (i *Intake) Until() time.Time { return i.poller.Until() }

// How often what waits is looked at, and old files are.
const (
	lookEvery   = time.Second
	retainEvery = 10 * time.Minute
)

// Run pulls, closes scrapes whose rest does not come, syncs files and removes
// old ones, until ctx is done. Trouble is told by Status and Options.Report.
func (i *Intake) Run(ctx context.Context) error {
	var jobs sync.WaitGroup
	defer jobs.Wait()
	jobs.Go(func() { i.scraper.Run(ctx) })
	jobs.Go(func() { i.poller.Run(ctx) })
	jobs.Go(func() { i.every(ctx, i.o.Spool.Sync, i.sync) })
	jobs.Go(func() {
		i.retain()
		i.every(ctx, retainEvery, i.retain)
	})
	i.every(ctx, lookEvery, i.look)
	return nil
}

func (i *Intake) every(ctx context.Context, d time.Duration, f func()) {
	t := time.NewTicker(d)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			f()
		}
	}
}

// look closes what has waited long enough, and says what went wrong.
func (i *Intake) look() {
	i.mu.Lock()
	if i.joiner.Flush(i.spool, i.o.Now(), true) == nil {
		i.spool.Clear()
	}
	i.mu.Unlock()
	i.report()
}

func (i *Intake) sync() {
	if err := i.spool.Sync(); err != nil {
		i.say("the files of the intake could not be synced, and a loss of power may cost more: " + err.Error())
	}
}

func (i *Intake) retain() {
	if err := i.spool.Retain(i.o.Now()); err != nil {
		i.say("old files of the intake are not removed: " + err.Error())
	}
}

// take joins the samples of a batch and writes what is complete.
func (i *Intake) take(sender string, b *exporter.Batch) (exporter.Counts, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.o.Now()
	c := i.joiner.Take(b, sender, now)
	return c, i.joiner.Flush(i.spool, now, false)
}

// pushed is the intake as senders see it.
type pushed struct{ *Intake }

// Ready refuses all while nothing can be written: senders keep it meanwhile.
func (p pushed) Ready() error { return p.spool.Err() }

func (p pushed) Take(sender string, b *exporter.Batch) (exporter.Counts, error) {
	c, err := p.take(sender, b)
	p.heard(sender, c)
	return c, err
}

func (p pushed) Refused(sender, why string) { p.refused(sender, why) }

// pulled is the intake as endpoints see it.
type pulled struct{ *Intake }

func (p pulled) Take(endpoint string, b *exporter.Batch) (exporter.Counts, error) {
	if err := p.spool.Err(); err != nil {
		return exporter.Counts{}, err
	}
	return p.take(endpoint, b)
}

// Last is the time of the last reading of a server.
func (p pulled) Last(server string) (time.Time, error) {
	m, err := p.spool.Recall(server)
	return m.Time, err
}

// Close syncs and closes the files. Nothing is taken afterwards.
func (i *Intake) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.spool.Close()
}
