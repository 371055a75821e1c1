package scrape

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// A Sink stores the scraped samples. Several goroutines may call it at the same
// time.
type Sink interface {
	// Take stores the samples of one scrape of an endpoint.
	Take(endpoint string, b *exporter.Batch) (exporter.Counts, error)
}

// A Scraper scrapes the endpoints of jobs.
type Scraper struct {
	sink  Sink
	label string // name of the label that contains the server
	now   func() time.Time
	slots chan struct{} // limits the number of scrapes at the same time

	mu      sync.Mutex
	jobs    []Job
	targets map[string]*running
	trouble map[string]string // problems with the target files of a job, by name of the job
	wake    chan struct{}     // wakes Run after SetJobs
}

// running is a target that is scraped once in every interval.
type running struct {
	target
	client *client
	stop   context.CancelFunc
	status Status
}

// Status is the state of an endpoint.
type Status struct {
	Job, URL, Server string
	Up               bool      // true if the last scrape succeeded
	Heard            time.Time // time of the last scrape that succeeded
	Scrapes, Failed  uint64
	Took             time.Duration // duration of the last scrape
	Counts           exporter.Counts
	Trouble          string // sentence about the problem; empty if there is no problem
}

// maxScrapes is the largest number of scrapes at the same time.
const maxScrapes = 64

// rediscover is the time between two reads of the target files. The files are polled, because NFS
// does not report changes. One read every 5 s takes almost no processor time.
const rediscover = 5 * time.Second

// New returns a Scraper. The parameter `serverLabel` is the name of the label that contains the
// server of a series.
func New(jobs []Job, s Sink, serverLabel string, now func() time.Time) (*Scraper, error) {
	if err := Validate(jobs); err != nil {
		return nil, err
	}
	return &Scraper{
		sink: s, label: serverLabel, now: now, slots: make(chan struct{}, maxScrapes), jobs: slices.Clone(jobs),
		targets: map[string]*running{}, trouble: map[string]string{}, wake: make(chan struct{}, 1),
	}, nil
}

// SetJobs replaces the jobs. The scraping of targets whose settings stay the same is not
// interrupted.
func (s *Scraper) SetJobs(jobs []Job) error {
	if err := Validate(jobs); err != nil {
		return err
	}
	s.mu.Lock()
	s.jobs = slices.Clone(jobs)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return nil
}

// Run scrapes all targets until ctx is done.
func (s *Scraper) Run(ctx context.Context) {
	var pulls sync.WaitGroup
	defer pulls.Wait()
	every := time.NewTicker(rediscover)
	defer every.Stop()
	for {
		s.discover(ctx, &pulls)
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		case <-s.wake:
		}
	}
}

// discover starts scraping new targets, and stops scraping removed targets. If
// a target file of a job cannot be read, discover does not stop any target of
// the job.
func (s *Scraper) discover(ctx context.Context, pulls *sync.WaitGroup) {
	s.mu.Lock()
	jobs := slices.Clone(s.jobs)
	s.mu.Unlock()
	trouble := map[string]string{}
	keep := map[string]bool{} // jobs with a file that cannot be read
	var all []target
	for i := range jobs { // this loop does not hold the lock, because a file system may hang
		list, failed, err := jobs[i].targets()
		if err != nil {
			trouble[jobs[i].Name] = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		keep[jobs[i].Name] = len(failed) > 0
		all = append(all, list...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = trouble
	found := map[string]bool{}
	for _, t := range all {
		found[s.begin(ctx, pulls, t)] = true
	}
	for key, r := range s.targets {
		if !found[key] && !keep[r.job.Name] {
			r.stop()
			delete(s.targets, key)
		}
	}
}

// begin starts scraping a target, if this target is not scraped already. It
// returns the key of the target in s.targets.
func (s *Scraper) begin(ctx context.Context, pulls *sync.WaitGroup, t target) (key string) {
	key = t.key() + fmt.Sprintf("%+v", *t.job)
	if s.targets[key] != nil {
		return key
	}
	own, stop := context.WithCancel(ctx)
	job := *t.job
	t.job = &job
	r := &running{target: t, client: newClient(&job), stop: stop}
	r.status = Status{Job: job.Name, URL: t.url.Redacted(), Server: t.labels[s.label]}
	s.targets[key] = r
	pulls.Go(func() {
		defer stop()
		defer r.client.close()
		s.pull(own, r)
	})
	return key
}

// pull scrapes one target once in every interval, always at the same offset from the beginning of
// the interval.
func (s *Scraper) pull(ctx context.Context, r *running) {
	offset := r.offset()
	var p parser
	var buf []byte
	for {
		wait := untilNext(s.now(), r.job.Interval, offset)
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		select {
		case <-ctx.Done():
			return
		case s.slots <- struct{}{}:
		}
		buf = s.scrape(ctx, r, &p, buf)
		<-s.slots
	}
}

// offset returns the time from the beginning of an interval to the scrape of the target. The time
// is computed from a hash of the target.
func (t *target) offset() time.Duration {
	h := fnv.New64a()
	h.Write([]byte(t.key()))
	return time.Duration(h.Sum64() % uint64(t.job.Interval))
}

// untilNext returns the time until the next scrape. There is one scrape in each interval. The
// parameter `offset` is the time from the beginning of the interval to the scrape.
func untilNext(now time.Time, interval, offset time.Duration) time.Duration {
	since := time.Duration((now.UnixNano() - int64(offset)) % int64(interval))
	return interval - since
}

// scrape scrapes a target once. It returns buf, which may have grown, for the
// next scrape.
func (s *Scraper) scrape(ctx context.Context, r *running, p *parser, buf []byte) []byte {
	at := s.now()
	buf, err := r.client.fetch(ctx, r.url, buf)
	var c exporter.Counts
	if err == nil {
		err = s.read(p, buf, r, at)
	}
	if err == nil {
		c, err = s.sink.Take(r.status.URL, &p.Batch)
	}
	if ctx.Err() == nil {
		s.note(r, at, c, err)
	}
	return buf
}

// read parses the answer of a target into p.Batch. It returns an error if the answer has no sample
// that limpet uses.
func (s *Scraper) read(p *parser, text []byte, r *running, at time.Time) error {
	if err := p.Read(text, r.labels, s.label, at); err != nil {
		return fmt.Errorf("the answer of the target is not in the text format of Prometheus: %w", err)
	}
	if p.Batch.Len() == 0 {
		return fmt.Errorf("the target shows no disks and no network interfaces%s: check that the target is node_exporter or limpet-record", beginning(text))
	}
	return nil
}

func beginning(text []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
		return ", only a web page"
	}
	return ""
}

func (s *Scraper) note(r *running, at time.Time, c exporter.Counts, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &r.status
	st.Scrapes++
	st.Took = s.now().Sub(at)
	st.Counts.Add(c)
	if st.Up = err == nil; st.Up {
		st.Heard, st.Trouble = at, ""
		return
	}
	st.Failed++
	st.Trouble = fmt.Sprintf("data of %s cannot be pulled: %v", st.URL, err)
}

// Status returns the state of all endpoints, sorted by job and URL. The second
// result has the problems with target files, by name of the job.
func (s *Scraper) Status() (list []Status, trouble map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.targets {
		list = append(list, r.status)
	}
	slices.SortFunc(list, func(a, b Status) int {
		return strings.Compare(a.Job+"\xff"+a.URL, b.Job+"\xff"+b.URL)
	})
	return list, maps.Clone(s.trouble)
}
