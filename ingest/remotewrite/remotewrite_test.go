package remotewrite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/snappy"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite/remotewritetest"
)

// taken is a sink that keeps what it was given, joined.
type taken struct {
	mu        sync.Mutex
	ready     error
	take      error
	assembler *exporter.Assembler
	sum       exporter.Counts
	refused   []string
	got       int // samples that are used
	before    func()
}

func (s *taken) Ready() error { return s.ready }

func (s *taken) Take(from exporter.Sender, b *exporter.Batch) (exporter.Counts, error) {
	if s.before != nil {
		s.before()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got += b.Len()
	c, why := s.assembler.Take(b, from, time.Unix(1_750_000_000, 0))
	s.sum.Add(c)
	if s.take == nil && why != "" {
		return c, &LeftOut{Samples: c.Refused + c.Late, Why: why}
	}
	return c, s.take
}

func (s *taken) Refused(_, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = append(s.refused, why)
}

func newHandler(t testing.TB, change func(*Options)) (*Handler, *taken) {
	t.Helper()
	o := DefaultOptions()
	if change != nil {
		change(&o)
	}
	j, err := exporter.New(exporter.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	s := &taken{assembler: j}
	h, err := NewHandler(s, "instance", o)
	if err != nil {
		t.Fatal(err)
	}
	return h, s
}

const at = 1_750_000_000_000

func one(name, device string) remotewritetest.Series {
	return remotewritetest.Series{Labels: []remotewritetest.Label{
		{Name: "__name__", Value: name}, {Name: "device", Value: device}, {Name: "instance", Value: "fs1:9100"}, {Name: "job", Value: "node"},
	}, Time: at, Value: 1}
}

// TestVersions: both versions are taken, series that are not used are counted
// and dropped, and a sender of version 2 hears of all that need not come again.
func TestVersions(t *testing.T) {
	for version := 1; version <= 2; version++ {
		h, s := newHandler(t, nil)
		list := []remotewritetest.Series{
			one("node_disk_reads_completed_total", "sda"), one("node_cpu_seconds_total", "0"),
			one("node_network_receive_bytes_total", "eth0"), one("up", ""),
		}
		for range 2 {
			w := remotewritetest.Post(h, version, list)
			if w.Code != http.StatusNoContent || w.Header().Get("X-Prometheus-Remote-Write-Samples-Written") != "4" {
				t.Fatalf("version %d: %d %s %v", version, w.Code, w.Body, w.Header())
			}
		}
		if want := (exporter.Counts{Kept: 2, Unused: 4, Duplicate: 2}); s.sum != want || s.got != 4 {
			t.Errorf("version %d: %+v", version, s.sum)
		}
	}
}

// TestLeftOutIsNoSuccess: a request with samples that are not kept is answered
// 400, so that senders count these samples as failed. Its other samples are kept.
func TestLeftOutIsNoSuccess(t *testing.T) {
	h, s := newHandler(t, nil)
	old := one("node_disk_reads_completed_total", "sda")
	old.Time = 5
	w := remotewritetest.Post(h, 2, []remotewritetest.Series{old, one("node_disk_reads_completed_total", "sdb")})
	if got := w.Header().Get("X-Prometheus-Remote-Write-Samples-Written"); got != "1" {
		t.Errorf("%s samples are said to be written", got)
	}
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "1 samples were left out, and all other samples were accepted") || w.Header().Get("Retry-After") != "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if len(s.refused) != 1 || s.sum.Kept != 1 {
		t.Errorf("%q, %+v", s.refused, s.sum)
	}
}

// TestAnswers: what can never be taken is answered 4xx, what may be later 503.
func TestAnswers(t *testing.T) {
	good := snappy.Encode(nil, remotewritetest.Version1([]remotewritetest.Series{one("node_disk_reads_completed_total", "sda")}))
	long := one("node_disk_reads_completed_total", strings.Repeat("x", 5000))
	many := one("node_disk_reads_completed_total", "sda")
	for i := range 300 {
		many.Labels = append(many.Labels, remotewritetest.Label{Name: fmt.Sprint("l", i), Value: "v"})
	}
	packed := func(plain []byte) []byte { return snappy.Encode(nil, plain) }
	bomb := snappy.Encode(nil, make([]byte, 40<<20))
	claim := append([]byte{0xff, 0xff, 0xff, 0xff, 0x0f}, 0, 0) // 4 GB in two bytes
	lie := append([]byte{0x80, 0x80, 0x80, 0x08}, good[2:]...)  // 16 MB in a hundred
	symbols := remotewritetest.Field(remotewritetest.Field(nil, 4, nil), 5, remotewritetest.Field(nil, 1, []byte{1, 2}))
	odd := remotewritetest.Field(remotewritetest.Field(nil, 4, nil), 5, remotewritetest.Field(nil, 1, []byte{0}))
	first := remotewritetest.Field(nil, 4, []byte("not empty"))
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		body   []byte
		v      int
		want   int
		says   string
	}{
		{name: "good", body: good, want: 204},
		{name: "empty", body: packed(nil), want: 204},
		{name: "get", body: good, want: 405, says: `use this address as the "url" of "remote_write"`, change: func(r *http.Request) { r.Method = http.MethodGet }},
		{name: "json", body: good, want: 415, change: func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }},
		{name: "no type", body: good, want: 415, change: func(r *http.Request) { r.Header.Del("Content-Type") }},
		{name: "version 3", body: good, want: 415, says: "io.prometheus.write.v2.Request", change: func(r *http.Request) {
			r.Header.Set("Content-Type", "application/x-protobuf;proto=io.prometheus.write.v3.Request")
		}},
		{name: "version 1 by name", body: good, want: 204, change: func(r *http.Request) {
			r.Header.Set("Content-Type", "application/x-protobuf; proto=prometheus.WriteRequest")
		}},
		{name: "zstd", body: good, want: 415, says: "snappy", change: func(r *http.Request) { r.Header.Set("Content-Encoding", "zstd") }},
		{name: "not packed", body: []byte("hello"), want: 400, says: "snappy"},
		{name: "torn", body: good[:len(good)-9], want: 400},
		{name: "no protobuf", body: packed([]byte("hello, world")), want: 400, says: "not valid protobuf"},
		{name: "a wrong type", body: packed([]byte{1 << 3, 7}), want: 400, says: "not valid protobuf"},
		{name: "300 labels", body: packed(remotewritetest.Version1([]remotewritetest.Series{many})), want: 400, says: "64 labels"},
		{name: "300 labels of version 2", v: 2, body: packed(remotewritetest.Version2([]remotewritetest.Series{many})), want: 400, says: "64 labels"},
		{name: "a long label", body: packed(remotewritetest.Version1([]remotewritetest.Series{long})), want: 400, says: "4096 bytes"},
		{name: "no such symbol", v: 2, body: packed(symbols), want: 400, says: "symbol"},
		{name: "an odd label", v: 2, body: packed(odd), want: 400, says: "no value"},
		{name: "a first symbol", v: 2, body: packed(first), want: 400, says: "first symbol"},
		{name: "version 1 as 2", v: 2, body: good, want: 204}, // it has no field that version 2 has
		{name: "bomb", body: bomb, want: 413, says: "unpacked"},
		{name: "claim", body: claim, want: 413},
		{name: "lie", body: lie, want: 400, says: "an impossible length"},
		{name: "large", body: make([]byte, 17<<20), want: 413, says: "max_samples_per_send"},
		{name: "large and chunked", body: make([]byte, 17<<20), want: 413, change: func(r *http.Request) { r.ContentLength = -1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, s := newHandler(t, nil)
			r := remotewritetest.Request(max(1, c.v), c.body)
			if c.change != nil {
				c.change(r)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.want || !strings.Contains(w.Body.String(), c.says) || strings.Count(w.Body.String(), "\n") > 1 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if c.want != 204 && (len(s.refused) != 1 || s.got != 0) {
				t.Errorf("%q, %d samples were taken", s.refused, s.got)
			}
			if n := h.held.now.Load(); n != 0 {
				t.Errorf("%d bytes are still held", n)
			}
		})
	}
}

// TestVMAgentAsks: vmagent's question whether its own protocol is known is
// answered no, and is no trouble.
func TestVMAgentAsks(t *testing.T) {
	h, s := newHandler(t, nil)
	r := remotewritetest.Request(1, []byte("zstd"))
	r.Header.Set("Content-Encoding", "zstd")
	r.Header.Set("X-VictoriaMetrics-Remote-Write-Version", "1")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusUnsupportedMediaType || len(s.refused) > 0 {
		t.Errorf("%d %q", w.Code, s.refused)
	}
}

// TestLater: a full disk, or files that cannot be written, are answered 503.
func TestLater(t *testing.T) {
	list := []remotewritetest.Series{one("node_disk_reads_completed_total", "sda")}
	h, s := newHandler(t, nil)
	s.ready = errors.New("no space left")
	if w := remotewritetest.Post(h, 1, list); w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "no space left") || s.got != 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.ready, s.take = nil, errors.New("no space left")
	if w := remotewritetest.Post(h, 1, list); w.Code != 503 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestBombs: requests that are small and would make much of themselves are
// refused before they have.
func TestBombs(t *testing.T) {
	repeat := func(b []byte) []byte { return bytes.Repeat(b, (30<<20)/len(b)) }
	used := remotewritetest.Version1([]remotewritetest.Series{one("node_disk_info", "sda")})
	var empty []byte
	for range 60 {
		empty = remotewritetest.Field(empty, 1, nil) // a label without a name
	}
	tiny := remotewritetest.Field(nil, 1, append([]byte(nil), empty...))
	for _, c := range []struct {
		name    string
		version int
		plain   []byte
	}{
		{"symbols", 2, repeat([]byte{4<<3 | 2, 0})},
		{"series", 1, repeat([]byte{1<<3 | 2, 0})},
		{"series of labels", 1, repeat(tiny)},
		{"series that are used", 1, repeat(used)},
		{"samples", 1, remotewritetest.Field(nil, 1, repeat([]byte{2<<3 | 2, 0}))},
		{"labels", 1, remotewritetest.Field(nil, 1, repeat([]byte{1<<3 | 2, 0}))},
		{"references", 2, append(remotewritetest.Field(nil, 4, nil), remotewritetest.Field(nil, 5, remotewritetest.Field(nil, 1, make([]byte, 30<<20)))...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, _ := newHandler(t, nil)
			body := snappy.Encode(nil, c.plain)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := h.decode(exporter.Sender{Name: "hostile"}, c.version, body)
			runtime.ReadMemStats(&after)
			if no, ok := errors.AsType[*refusal](err); !ok || no.status != 400 {
				t.Errorf("%v", err)
			}
			if by := after.TotalAlloc - before.TotalAlloc; by > 100<<20 {
				t.Errorf("%d MB for a request of %d kB", by>>20, len(body)>>10)
			}
		})
	}
}

// slow is a body that never ends.
type slow struct {
	rest []byte
	held chan struct{}
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.rest) > 0 {
		n := copy(p, s.rest)
		s.rest = s.rest[n:]
		return n, nil
	}
	<-s.held
	return 0, io.ErrUnexpectedEOF
}

// TestManyAndSlow: two thousand senders that never finish hold no more than
// they may, whatever they promise, and others are served once they have gone.
func TestManyAndSlow(t *testing.T) {
	h, _ := newHandler(t, func(o *Options) { o.MaxHeld = 8 << 20 })
	var before, during runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	end := make(chan struct{})
	var all sync.WaitGroup
	codes := make(chan int, 2000)
	for range 2000 {
		all.Go(func() {
			r := remotewritetest.Request(1, nil)
			r.Body, r.ContentLength = io.NopCloser(&slow{make([]byte, 100_000), end}), 10<<20
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			codes <- w.Code
		})
	}
	for len(codes) < 1900 {
		time.Sleep(time.Millisecond)
	}
	runtime.GC() // what is held, not what nobody has swept yet
	runtime.ReadMemStats(&during)
	if by := int64(during.HeapAlloc) - int64(before.HeapAlloc); by > 64<<20 {
		t.Errorf("%d MB are held", by>>20)
	}
	close(end)
	all.Wait()
	close(codes)
	count := map[int]int{}
	for c := range codes {
		count[c]++
	}
	if count[503] < 1900 || count[400] == 0 || count[400]+count[503] != 2000 {
		t.Errorf("answers: %v", count)
	}
	if w := remotewritetest.Post(h, 1, nil); w.Code != 204 || h.held.now.Load() != 0 {
		t.Errorf("%d, %d bytes held", w.Code, h.held.now.Load())
	}
}

// TestUnpackedAtOnce: no more requests are unpacked at a time than may be, and
// one whose sender has gone does not wait.
func TestUnpackedAtOnce(t *testing.T) {
	h, s := newHandler(t, func(o *Options) { o.MaxUnpacked = 2 })
	inside, end := make(chan struct{}, 10), make(chan struct{})
	s.before = func() { inside <- struct{}{}; <-end }
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() { remotewritetest.Post(h, 1, []remotewritetest.Series{one("up", "")}) })
	}
	<-inside
	<-inside
	select {
	case <-inside:
		t.Error("three are unpacked at once")
	case <-time.After(20 * time.Millisecond):
	}
	close(end)
	all.Wait()
}

// nodeExporter is about what one sends: many series of which few are used.
func nodeExporter(servers int) (list []remotewritetest.Series) {
	for server := range servers {
		add := func(name, key, value string) {
			list = append(list, remotewritetest.Series{Labels: []remotewritetest.Label{
				{Name: "__name__", Value: name},
				{Name: key, Value: value},
				{Name: "instance", Value: fmt.Sprintf("fs%d:9100", server)},
				{Name: "job", Value: "node"},
			}, Time: at, Value: 12345})
		}
		for i := range 800 {
			add(fmt.Sprintf("node_other_%d_total", i%120), "cpu", fmt.Sprint(i))
		}
		for i := range 15 {
			for _, name := range []string{
				"reads_completed", "writes_completed", "read_bytes", "written_bytes", "read_time_seconds", "write_time_seconds",
				"io_time_seconds", "io_time_weighted_seconds", "discards_completed", "discarded_sectors", "discard_time_seconds",
			} {
				add("node_disk_"+name+"_total", "device", fmt.Sprint("sd", 'a'+i))
			}
		}
	}
	return list
}

// TestDroppingIsCheap: what is not used costs no memory.
func TestDroppingIsCheap(t *testing.T) {
	h, s := newHandler(t, nil)
	var unused []remotewritetest.Series
	for _, s := range nodeExporter(2) {
		if !exporter.Wanted([]byte(s.Labels[0].Value)) {
			unused = append(unused, s)
		}
	}
	body := snappy.Encode(nil, remotewritetest.Version1(unused))
	n := testing.AllocsPerRun(20, func() {
		if _, err := h.decode(exporter.Sender{Name: "prometheus"}, 1, body); err != nil {
			t.Fatal(err)
		}
	})
	if n > 10 || s.sum.Unused == 0 {
		t.Errorf("%v allocations for %d series", n, len(unused))
	}
}

func benchmark(b *testing.B, version int) {
	h, _ := newHandler(b, nil)
	list := nodeExporter(2)
	plain := remotewritetest.Version1(list)
	if version == 2 {
		plain = remotewritetest.Version2(list)
	}
	body := snappy.Encode(nil, plain)
	b.SetBytes(int64(len(plain)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.decode(exporter.Sender{Name: "prometheus"}, version, body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(list))*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
}

func BenchmarkVersion1(b *testing.B) { benchmark(b, 1) }
func BenchmarkVersion2(b *testing.B) { benchmark(b, 2) }

// FuzzRequest: whatever is sent is answered, without a panic and without
// holding more than may be.
func FuzzRequest(f *testing.F) {
	list := []remotewritetest.Series{one("node_disk_reads_completed_total", "sda"), one("node_disk_info", "sda"), one("up", "x")}
	f.Add(remotewritetest.Version1(list), 1)
	f.Add(remotewritetest.Version2(list), 2)
	f.Add(remotewritetest.Field(nil, 4, nil), 2)
	h, _ := newHandler(f, func(o *Options) { o.MaxSeries = 100 })
	f.Fuzz(func(t *testing.T, plain []byte, version int) {
		for _, body := range [][]byte{plain, snappy.Encode(nil, plain)} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, remotewritetest.Request(1+version&1, body))
			if w.Code != 204 && w.Code != 400 && w.Code != 413 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if !bytes.HasSuffix(w.Body.Bytes(), []byte("\n")) && w.Code != 204 {
				t.Errorf("%q", w.Body)
			}
		}
	})
}
