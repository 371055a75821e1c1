package torture

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"

	"github.com/limpet-storage/limpet/ingest/remotewrite/remotewritetest"
)

// siegeSteps is how many steps the diagnosis has to go on by during each siege, and
// mostMB what the server may have taken at the end of all of them.
const (
	siegeSteps = 12
	mostMB     = 512
)

// A besieger asks again and again until its context ends. It counts what was done, and
// says what an answer ought not to have been.
type besieger func(ctx context.Context, s *siege)

// TestDiagnosisDoesNotPause: while a server is besieged, files that grow are judged. What
// is too much is refused, and memory is bounded.
func TestDiagnosisDoesNotPause(t *testing.T) {
	w := newWorld(t, 1, 7)
	w.settings.Endpoint = gzipBomb(t)
	w.settings.Job = "bomb"
	w.settle()
	life := &rowCounter{}
	c := start(t, w.dir, life)
	defer kill(t, c)
	w.now += ahead
	w.grow(t, life, siegeSteps) // it is up
	for _, one := range []struct {
		name string
		many int
		do   besieger
	}{
		{"2,000 connections", 2000, holdConnection},
		{"slow clients", 200, sendSlowly},
		{"100 MB bodies", 4, sendTooMuch},
		{"gzip and snappy bombs", 4, sendBombs},
		{"malformed protobuf", 4, sendNonsense},
	} {
		t.Run(one.name, func(t *testing.T) { besiege(t, w, life, one.many, one.do) })
	}
	if mb := peakMB(t, c.Process.Pid); mb > mostMB {
		t.Errorf("the server took %d MB", mb)
	} else {
		t.Logf("the server took %d MB at the most", mb)
	}
}

// A siege is one way to besiege a server.
type siege struct {
	tb      testing.TB
	address string
	done    atomic.Int64 // connections held, requests answered
	wrong   sync.Map     // answers that ought not to be
}

func besiege(t *testing.T, w *world, life *rowCounter, many int, do besieger) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s := &siege{tb: t, address: w.settings.Listen}
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			for ctx.Err() == nil {
				do(ctx, s)
			}
		})
	}
	w.await(t, "the siege has begun", func() bool { return s.done.Load() >= int64(min(many, 100)) })
	w.grow(t, life, siegeSteps)
	t.Logf("%d times while %d steps were judged", s.done.Load(), siegeSteps)
	stop()
	all.Wait()
	s.wrong.Range(func(answer, _ any) bool { t.Error(answer); return true })
}

// grow lets files grow by some steps and waits until all of these have been judged.
func (w *world) grow(t *testing.T, life *rowCounter, steps int) {
	t.Helper()
	before := life.rows.Load()
	for range steps {
		w.now += stepSeconds
		if _, err := w.files.Write(w.now); err != nil {
			t.Fatal(err)
		}
		setClock(t, w.dir, w.now)
	}
	// The last steps stay open for those who are behind.
	w.await(t, "files that grow are judged", func() bool { return life.rows.Load() >= before+int64(steps)*3/4 })
}

// await waits for something.
func (w *world) await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// A rowCounter reads how many rows a server has judged, a number a line.
type rowCounter struct {
	rows atomic.Int64
	rest []byte
}

// Write takes some of its output.
func (c *rowCounter) Write(p []byte) (int, error) {
	c.rest = append(c.rest, p...)
	for {
		line, rest, ok := bytes.Cut(c.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		if n, err := strconv.ParseInt(string(line), 10, 64); err == nil {
			c.rows.Store(n)
		}
		c.rest = rest
	}
}

// holdConnection opens a connection and says nothing on it.
func holdConnection(ctx context.Context, s *siege) {
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		time.Sleep(10 * time.Millisecond)
		return
	}
	defer c.Close()
	s.done.Add(1)
	until(ctx, c)
	select { // who is hung up on comes again soon
	case <-ctx.Done():
	case <-time.After(200 * time.Millisecond):
	}
}

// until waits until the other side has hung up, or the context ends.
func until(ctx context.Context, c net.Conn) {
	hungUp := make(chan struct{})
	go func() {
		defer close(hungUp)
		_, _ = io.Copy(io.Discard, c)
	}()
	select {
	case <-hungUp:
	case <-ctx.Done():
		c.Close()
		<-hungUp
	}
}

// sendSlowly sends the head of a request byte by byte.
func sendSlowly(ctx context.Context, s *siege) {
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		time.Sleep(10 * time.Millisecond)
		return
	}
	defer c.Close()
	s.done.Add(1)
	head := "POST /api/v1/write HTTP/1.1\r\nHost: " + s.address + "\r\nContent-Type: application/x-protobuf\r\nContent-Encoding: snappy\r\nContent-Length: 1000000\r\n\r\n" + strings.Repeat("x", 1000)
	for i := range len(head) {
		if _, err := c.Write([]byte{head[i]}); err != nil || ctx.Err() != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// send posts a body, whose answer has to be one of these.
func (s *siege) send(ctx context.Context, body io.Reader, encoding string, want ...int) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.address+"/api/v1/write", body)
	if err != nil {
		s.wrong.Store(err.Error(), true)
		return
	}
	r.Header.Set("Content-Type", remotewritetest.ContentType(1))
	r.Header.Set("Content-Encoding", encoding)
	answer, err := http.DefaultClient.Do(r)
	if err != nil { // it hangs up on who sends on
		s.done.Add(1)
		return
	}
	answer.Body.Close()
	s.done.Add(1)
	for _, code := range want {
		if answer.StatusCode == code {
			return
		}
	}
	s.wrong.Store(fmt.Sprintf("%s of %s is answered with %d, not with one of %v", encoding, s.tb.Name(), answer.StatusCode, want), true)
}

// endless is zeros, for ever.
type endless struct{}

// Read reads zeros.
func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }

const tooMuch = 100 << 20

// sendTooMuch sends 100 MB, once with its length and once without.
func sendTooMuch(ctx context.Context, s *siege) {
	s.send(ctx, struct{ io.Reader }{io.LimitReader(endless{}, tooMuch)}, "snappy", http.StatusRequestEntityTooLarge, http.StatusBadRequest, http.StatusServiceUnavailable)
	s.send(ctx, bytes.NewReader(make([]byte, tooMuch)), "snappy", http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable)
}

// sendBombs sends what unpacks to a gigabyte.
func sendBombs(ctx context.Context, s *siege) {
	claimed := []byte{0x80, 0x80, 0x80, 0x80, 0x04, 0x00} // a gigabyte follows, says snappy
	honest := snappy.Encode(nil, make([]byte, 64<<20))
	s.send(ctx, bytes.NewReader(claimed), "snappy", http.StatusRequestEntityTooLarge, http.StatusBadRequest, http.StatusServiceUnavailable)
	s.send(ctx, bytes.NewReader(honest), "snappy", http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable)
	s.send(ctx, bytes.NewReader(packed(64<<20)), "gzip", http.StatusUnsupportedMediaType, http.StatusServiceUnavailable)
}

// packed is so many zeros, packed by gzip.
func packed(n int64) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = io.CopyN(w, endless{}, n)
	_ = w.Close()
	return out.Bytes()
}

// gzipBomb is an endpoint whose answer unpacks to 256 MB.
func gzipBomb(t *testing.T) (address string) {
	t.Helper()
	body := packed(256 << 20)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body)
	}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// sendNonsense sends what is no protobuf, or breaks off.
func sendNonsense(ctx context.Context, s *siege) {
	whole := remotewritetest.Version1([]remotewritetest.Series{{Labels: []remotewritetest.Label{{Name: "__name__", Value: "node_disk_reads_completed_total"}}, Time: 1, Value: 1}})
	for _, body := range [][]byte{whole[:len(whole)/2], bytes.Repeat([]byte{0xff}, 1000), []byte("GET / HTTP/1.1")} {
		s.send(ctx, bytes.NewReader(snappy.Encode(nil, body)), "snappy", http.StatusBadRequest, http.StatusServiceUnavailable)
	}
	s.send(ctx, strings.NewReader("no snappy"), "snappy", http.StatusBadRequest, http.StatusServiceUnavailable)
}

// peakMB is what a process took at the most, as far as the kernel tells.
func peakMB(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skipf("nobody tells how much memory a process took: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kB, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kB >> 10
		}
	}
	t.Fatal("no VmHWM")
	return 0
}
