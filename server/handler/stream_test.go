package handler

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// archive keeps messages, as whoever publishes must.
type archive struct {
	mu   sync.Mutex
	list []hubMessage
	hub  *hub
}

func (a *archive) publish(n int) {
	for range n {
		a.mu.Lock()
		m := hubMessage{Number: int64(len(a.list) + 1), Kind: "incident", Data: []byte(fmt.Sprintf(`{"n":%d}`, len(a.list)+1))}
		a.list = append(a.list, m)
		a.mu.Unlock()
		a.hub.Publish(m)
	}
}

func (a *archive) past(_ context.Context, after int64, limit int) ([]hubMessage, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if after >= int64(len(a.list)) {
		return nil, nil
	}
	list := a.list[after:]
	return slices.Clone(list[:min(len(list), limit)]), nil
}

func (a *archive) latest() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return int64(len(a.list))
}

func (a *archive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	after, reset, err := after(r, a.latest())
	if err == nil {
		err = a.hub.Serve(w, r, after, reset, a.past)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

func serve(t *testing.T, o StreamOptions) (*archive, *httptest.Server) {
	t.Helper()
	a := &archive{hub: newHub(o)}
	s := httptest.NewServer(a)
	t.Cleanup(func() { a.hub.Close(); s.Close() })
	return a, s
}

// listenStream reads numbers of messages until it has so many, and returns them with
// everything else that it heard.
func listenStream(t *testing.T, address, after string, n int) (numbers []int64, rest []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return nil, nil
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for len(numbers) < n && lines.Scan() {
		var id int64
		if _, err := fmt.Sscanf(lines.Text(), "id: %d", &id); err == nil {
			numbers = append(numbers, id)
		} else if lines.Text() != "" {
			rest = append(rest, lines.Text())
		}
	}
	return numbers, rest
}

// TestResume: a client that comes back is sent all that it missed, and then what
// happens, each once.
func TestResume(t *testing.T) {
	a, s := serve(t, DefaultStreamOptions())
	a.publish(1000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 100 {
			a.publish(1)
			time.Sleep(time.Millisecond)
		}
	}()
	got, _ := listenStream(t, s.URL, "300", 800)
	<-done
	for i, n := range got {
		if n != int64(301+i) {
			t.Fatalf("message %d has number %d, want %d", i, n, 301+i)
		}
	}
	if len(got) != 800 {
		t.Errorf("%d messages, want 800", len(got))
	}
}

// TestFromNow: who names no number hears only what is new.
func TestFromNow(t *testing.T) {
	a, s := serve(t, DefaultStreamOptions())
	a.publish(10)
	go func() {
		for c := 0; c == 0; c, _ = a.hub.Counts() {
			time.Sleep(time.Millisecond)
		}
		a.hub.Publish(hubMessage{Kind: "standing", Data: []byte("{}")})
		a.publish(1)
	}()
	got, rest := listenStream(t, s.URL, "", 1)
	if !slices.Equal(got, []int64{11}) || !slices.Contains(rest, "event: standing") {
		t.Errorf("%v, %q", got, rest)
	}
}

// TestNumbersBeginAnew: a client with a number from before is told so.
func TestNumbersBeginAnew(t *testing.T) {
	a, s := serve(t, DefaultStreamOptions())
	a.publish(5)
	go func() {
		for c := 0; c == 0; c, _ = a.hub.Counts() {
			time.Sleep(time.Millisecond)
		}
		a.publish(1)
	}()
	got, rest := listenStream(t, s.URL, "99", 1)
	if !slices.Equal(got, []int64{6}) || !slices.Contains(rest, "event: reset") {
		t.Errorf("%v, %q", got, rest)
	}
}

func TestWrongNumbers(t *testing.T) {
	for _, text := range []string{"x", "-1", "1e3", "99999999999999999999"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Last-Event-ID", text)
		if _, _, err := after(r, 5); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestHundredSlowClients: clients that read nothing are dropped; who publishes never
// waits for them, and those who read miss nothing.
func TestHundredSlowClients(t *testing.T) {
	o := DefaultStreamOptions()
	o.Queue, o.Write = 16, 5*time.Minute // a publisher that waits for a client would wait as long
	a, s := serve(t, o)
	for range 100 {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.(*net.TCPConn).SetReadBuffer(1 << 10)
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	wait(t, func() bool { n, _ := a.hub.Counts(); return n == 100 })
	big := []byte(`"` + strings.Repeat("x", 64<<10) + `"`)
	slowest := time.Duration(0)
	for i := range 200 {
		began := time.Now()
		a.hub.Publish(hubMessage{Kind: "standing", Data: big})
		slowest = max(slowest, time.Since(began))
		if i%10 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	wait(t, func() bool { n, _ := a.hub.Counts(); return n == 0 })
	if _, dropped := a.hub.Counts(); dropped == 0 {
		t.Error("nobody was dropped")
	}
	if slowest > time.Minute {
		t.Errorf("who publishes waited %v", slowest)
	}
	a.publish(50)
	if got, _ := listenStream(t, s.URL, "0", 50); len(got) != 50 {
		t.Errorf("one who reads has %d messages, want 50", len(got))
	}
}

func wait(t *testing.T, until func() bool) {
	t.Helper()
	for range 12_000 { // a minute
		if until() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("it does not come to that")
}

// TestFull: one client more than allowed is turned away, and there is room again
// once one has gone.
func TestFull(t *testing.T) {
	o := DefaultStreamOptions()
	o.Clients = 1
	a, s := serve(t, o)
	first, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	second, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	said, _ := io.ReadAll(second.Body)
	if second.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(said), errFull.Error()) {
		t.Errorf("%d %s", second.StatusCode, said)
	}
	first.Body.Close()
	wait(t, func() bool { n, _ := a.hub.Counts(); return n == 0 })
}

// TestHeartbeatAndClose: a quiet stream shows that it lives, longer than a request
// may take, and ends with the hub.
func TestHeartbeatAndClose(t *testing.T) {
	o := DefaultStreamOptions()
	o.Heartbeat = 20 * time.Millisecond
	a := &archive{hub: newHub(o)}
	s := httptest.NewUnstartedServer(a)
	s.Config.ReadTimeout, s.Config.WriteTimeout = 50*time.Millisecond, 50*time.Millisecond
	s.Start()
	defer s.Close()
	answer, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines, beats := bufio.NewScanner(answer.Body), 0
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), ": alive") {
			if beats++; beats == 10 { // four times as long as a request may take
				a.hub.Close()
			}
		}
	}
	if beats < 10 || lines.Err() != nil {
		t.Errorf("%d signs of life, then %v", beats, lines.Err())
	}
	if a.hub.join() != nil {
		t.Error("a closed hub takes clients")
	}
}

// TestArchiveFails: the stream ends, so that the client comes back.
func TestArchiveFails(t *testing.T) {
	h := newHub(DefaultStreamOptions())
	w := httptest.NewRecorder()
	err := h.Serve(w, httptest.NewRequest(http.MethodGet, "/", nil), 0, false, func(context.Context, int64, int) ([]hubMessage, error) {
		return nil, errors.New("no disk")
	})
	if n, _ := h.Counts(); err != nil || n != 0 {
		t.Errorf("%v, %d clients", err, n)
	}
}
