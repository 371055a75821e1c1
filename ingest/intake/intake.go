package intake

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite"
	"github.com/limpet-storage/limpet/ingest/scrape"
)

// An Intake receives samples that programs push, scrapes endpoints, and polls stores. It writes the
// samples into activity files in one directory, one file for each server and UTC day. Any number of
// goroutines may call its methods.
type Intake struct {
	o       Options
	spool   *exporter.Spool
	scraper *scrape.Scraper
	poller  *poller
	handler *remotewrite.Handler

	mu        sync.Mutex
	assembler *exporter.Assembler
	senders   map[string]*sender
	reported  map[string]bool // problems that were reported and still exist
}

// New returns an Intake that writes into the directory dir. It creates the
// directory if necessary. A file that a crash has damaged is repaired at the
// next sample of its server.
func New(dir string, o Options) (*Intake, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	i := &Intake{o: o, senders: map[string]*sender{}, reported: map[string]bool{}}
	var err error
	if i.assembler, err = exporter.New(o.Exporter); err != nil {
		return nil, err
	}
	if i.handler, err = remotewrite.NewHandler(pushSink{i}, o.Exporter.ServerLabel, o.Remote); err != nil {
		return nil, err
	}
	if i.scraper, err = scrape.New(o.Jobs, pullSink{i}, o.Exporter.ServerLabel, o.Now); err != nil {
		return nil, err
	}
	if i.poller, err = newPoll(o.Stores, pullSink{i}, o.Now); err != nil {
		return nil, err
	}
	if i.spool, err = exporter.Open(dir, o.Spool); err != nil {
		return nil, err
	}
	for _, text := range i.spool.Damage() { // the caller of New reports this damage, so it counts as reported
		i.reported[text] = true
	}
	servers, err := i.spool.Servers()
	if err != nil {
		return nil, errors.Join(err, i.spool.Close())
	}
	if !o.Exporter.ByNodename { // Reserve needs the server names of the labels; with ByNodename, the files may have other names
		i.assembler.Reserve(servers, o.Now())
	}
	return i, nil
}

// Handler returns a handler that accepts remote write requests of version 1.0
// and 2.0 at any path. The handler does not check users, so the caller must
// check them.
func (i *Intake) Handler() http.Handler { return i.handler }

// SetJobs replaces the scrape jobs. The scraping of targets (endpoints) that stay the same is not
// interrupted.
func (i *Intake) SetJobs(jobs []scrape.Job) error { return i.scraper.SetJobs(jobs) }

// Damage returns sentences about files that have lost received data.
func (i *Intake) Damage() []string { return i.spool.Damage() }

// ClosableUntil returns the time up to which rows may be closed, so that the diagnosis gets them.
// Later rows stay open, because limpet has not yet read the newest samples of some servers from a
// store.
func (i *Intake) ClosableUntil() time.Time { return i.poller.ClosableUntil() }

// lookEvery is the time between two searches for scrapes that have waited long enough. retainEvery
// is the time between two searches for old files.
const (
	lookEvery   = time.Second
	retainEvery = 10 * time.Minute
)

// Run scrapes endpoints and polls stores until ctx is done. It also closes
// scrapes whose remaining samples do not come, syncs files, and removes old
// files. It reports problems through Status and Options.Report.
func (i *Intake) Run(ctx context.Context) error {
	var jobs sync.WaitGroup
	defer jobs.Wait()
	jobs.Go(func() { i.scraper.Run(ctx) })
	jobs.Go(func() { i.poller.Run(ctx) })
	jobs.Go(func() { i.runEvery(ctx, i.o.Spool.Sync, i.sync) })
	jobs.Go(func() {
		i.retain()
		i.runEvery(ctx, retainEvery, i.retain)
	})
	i.runEvery(ctx, lookEvery, i.closeScrapes)
	return nil
}

func (i *Intake) runEvery(ctx context.Context, d time.Duration, f func()) {
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

// closeScrapes closes the scrapes that have waited long enough, and reports new
// problems.
func (i *Intake) closeScrapes() {
	i.mu.Lock()
	if i.assembler.Flush(i.spool, i.o.Now(), true) == nil {
		i.spool.Clear()
	}
	i.mu.Unlock()
	i.report()
}

func (i *Intake) sync() {
	if err := i.spool.Sync(); err != nil {
		i.reportOnce("received data could not be written to the disk, so a power failure may lose these data: " + err.Error())
	}
}

func (i *Intake) retain() {
	if err := i.spool.Retain(i.o.Now()); err != nil {
		i.reportOnce("old files of received data cannot be removed; check the disk and the permissions of the directory: " + err.Error())
	}
}

// take adds the samples of a batch to their scrapes, and writes the complete
// scrapes.
func (i *Intake) take(from exporter.Sender, b *exporter.Batch) (c exporter.Counts, leftOut string, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.o.Now()
	c, leftOut = i.assembler.Take(b, from, now)
	return c, leftOut, i.assembler.Flush(i.spool, now, false)
}

// pushSink implements remotewrite.Sink for an Intake: it takes pushed samples.
type pushSink struct{ *Intake }

// Ready returns an error while nothing can be written. Senders then keep their
// samples.
func (p pushSink) Ready() error { return p.spool.Err() }

func (p pushSink) Take(from exporter.Sender, b *exporter.Batch) (exporter.Counts, error) {
	c, leftOut, err := p.take(from, b)
	p.countRequest(from.Name, c)
	if err == nil && leftOut != "" {
		err = &remotewrite.LeftOut{Samples: c.Refused + c.Late, Why: leftOut}
	}
	return c, err
}

func (p pushSink) Refused(sender, why string) { p.refused(sender, why) }

// pullSink implements scrape.Sink and the interface sink for an Intake. Scraped
// endpoints and polled stores use it.
type pullSink struct{ *Intake }

func (p pullSink) Take(endpoint string, b *exporter.Batch) (exporter.Counts, error) {
	if err := p.spool.Err(); err != nil {
		return exporter.Counts{}, err
	}
	c, _, err := p.take(exporter.Sender{Name: endpoint}, b) // the status of the server shows why samples were left out
	return c, err
}

// Last returns the time of the last reading (record) of a server in the files.
func (p pullSink) Last(server string) (time.Time, error) {
	m, err := p.spool.Recall(server)
	return m.Time, err
}

// Close syncs and closes the files. After Close, the intake accepts no samples.
func (i *Intake) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.spool.Close()
}
