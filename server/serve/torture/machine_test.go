package torture

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/snappy"

	"github.com/limpet-storage/limpet/ingest/remotewrite/remotewritetest"
)

// The servers that leave no files, and their drives.
const (
	pushedServer = "push1"
	pulledServer = "pull1"
	manyDrives   = 8
)

// begins is when the counters of these servers began, and slowEvery how often one of their
// drives becomes slow, for slowFor seconds, slowAfter the full hour.
const (
	begins    = 1_772_319_600 // 2026-02-28 23:00 UTC, an hour ahead of the files
	slowEvery = 3600
	slowAfter = 900
	slowFor   = 1500
)

// A counter is what node_exporter says of a drive.
type counter struct {
	name   string
	device string
	value  float64
}

// reads is how many a drive has served by a time, 50 a second.
func reads(at int64) uint64 { return uint64(at-begins) * 50 }

// counters are those of a server with the third drive slow at times. They go by the time
// alone: what is read twice is the same.
func counters(at int64) (list []counter) {
	since := float64(at - begins)
	slow := float64((at-begins)/slowEvery*slowFor + min(max((at-begins)%slowEvery-slowAfter, 0), slowFor)) // seconds, so far
	for i := range manyDrives {
		device := fmt.Sprint("sd", string(rune('a'+i)))
		waited := float64(reads(at)) * 0.004 // seconds: each takes 4 ms
		if i == 2 {
			waited += slow * 50 * 0.036
		}
		waited += float64((at/15*int64(7+i))%11) * 0.01 // no two drives are alike
		for name, value := range map[string]float64{
			"reads_completed": float64(reads(at)), "read_bytes": float64(reads(at)) * 65536, "read_time_seconds": waited,
			"writes_completed": 0, "written_bytes": 0, "write_time_seconds": 0,
			"io_time_seconds": since * 0.2, "io_time_weighted_seconds": waited,
		} {
			list = append(list, counter{"node_disk_" + name + "_total", device, value})
		}
	}
	return append(list, counter{name: "node_boot_time_seconds", value: begins})
}

// A sender pushes scrapes in pieces, as Prometheus does: what was not acknowledged is sent
// again, what was is not.
type sender struct {
	url     string
	waiting [][]remotewritetest.Series
	sent    []int64 // times of all scrapes
}

// scrape cuts a scrape into pieces of so many series.
func (s *sender) scrape(at int64, piece int) {
	var all []remotewritetest.Series
	for _, c := range counters(at) {
		labels := []remotewritetest.Label{{Name: "__name__", Value: c.name}}
		if c.device != "" {
			labels = append(labels, remotewritetest.Label{Name: "device", Value: c.device})
		}
		labels = append(labels, remotewritetest.Label{Name: "instance", Value: pushedServer}, remotewritetest.Label{Name: "job", Value: "node"})
		all = append(all, remotewritetest.Series{Labels: labels, Time: at * 1000, Value: c.value})
	}
	s.waiting = slices.AppendSeq(s.waiting, slices.Chunk(all, piece))
	s.sent = append(s.sent, at)
}

// send sends what waits, and says whether all was taken.
func (s *sender) send() bool {
	for len(s.waiting) > 0 {
		if !post(s.url, s.waiting[0]) {
			return false
		}
		s.waiting = s.waiting[1:]
	}
	return true
}

func post(url string, series []remotewritetest.Series) bool {
	body := snappy.Encode(nil, remotewritetest.Version1(series))
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(string(body)))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", remotewritetest.ContentType(1))
	r.Header.Set("Content-Encoding", "snappy")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusNoContent
}

// An endpoint is pulled. It counts how often it has told of each time.
type endpoint struct {
	*httptest.Server
	mu   sync.Mutex
	now  int64
	told map[int64]int
}

func newEndpoint(tb testing.TB) *endpoint {
	tb.Helper()
	e := &endpoint{told: map[int64]int{}}
	e.Server = httptest.NewServer(e)
	tb.Cleanup(e.Close)
	return e
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	at := e.now
	e.mu.Unlock()
	var text strings.Builder
	for _, c := range counters(at) {
		if c.device == "" {
			fmt.Fprintf(&text, "%s %v\n", c.name, c.value)
		} else {
			fmt.Fprintf(&text, "%s{device=%q} %v\n", c.name, c.device, c.value)
		}
	}
	if _, err := w.Write([]byte(text.String())); err == nil {
		e.mu.Lock()
		e.told[at]++
		e.mu.Unlock()
	}
}

// set sets the time of which it tells.
func (e *endpoint) set(at int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now = at
}

// hasTold says whether it has told of a time. Who asks reads the clock before: the first
// answer may go to one whose clock showed the time before, the second does not.
func (e *endpoint) hasTold(at int64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.told[at] >= 2
}

// times are all of which it has told.
func (e *endpoint) times() (list []int64) {
	for _, at := range slices.Sorted(maps.Keys(e.told)) {
		if e.hasTold(at) {
			list = append(list, at)
		}
	}
	return list
}
