package handler_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// start serves a made-up site.
func start(t *testing.T, change func(*handler.ServerOptions)) (*handler.Server, *sitetest.Site, *handler.Handler) {
	t.Helper()
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, "", nil)
	o := handler.DefaultServerOptions()
	o.Address, o.Ending = "127.0.0.1:0", h.Close
	if change != nil {
		change(&o)
	}
	return run(t, o, h), site, h
}

func run(t *testing.T, o handler.ServerOptions, h http.Handler) *handler.Server {
	t.Helper()
	s, err := handler.Listen(o, h)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve() }()
	t.Cleanup(func() {
		s.Shutdown()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

func getServer(t *testing.T, s *handler.Server, path string) (int, string) {
	t.Helper()
	answer, err := http.Get("http://" + s.Address().String() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestTwoThousandConnections: those beyond the bound are closed, memory stays, and
// once they have gone the server answers.
func TestTwoThousandConnections(t *testing.T) {
	var said atomic.Int64
	s, _, _ := start(t, func(o *handler.ServerOptions) { o.Report = func(error) { said.Add(1) } })
	before := heap()
	var all []net.Conn
	for range 2000 {
		c, err := net.DialTimeout("tcp", s.Address().String(), 5*time.Second)
		if err != nil {
			t.Skip("this machine has no descriptors for 2,000 connections: ", err)
		}
		all = append(all, c)
	}
	open := 0
	for _, c := range all {
		fmt.Fprintf(c, "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n")
		_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
		if line, err := bufio.NewReader(c).ReadString('\n'); err == nil && strings.Contains(line, "200") {
			open++
		}
	}
	if open == 0 || open > handler.DefaultServerOptions().Connections {
		t.Errorf("%d of 2,000 are answered", open)
	}
	grown := heap() - before
	t.Logf("%d of 2,000 connections are answered, and take %d kB", open, grown>>10)
	if grown > 64<<20 {
		t.Errorf("2,000 connections take %d MB", grown>>20)
	}
	if said.Load() != 1 {
		t.Errorf("it was said %d times, want once", said.Load())
	}
	for _, c := range all {
		c.Close()
	}
	for range 100 {
		if answer, err := http.Get("http://" + s.Address().String() + "/-/healthy"); err == nil {
			answer.Body.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("there is no room after all have gone")
}

// TestSlowBodies: clients that send their bodies byte by byte, more than are answered at once,
// keep nobody from being answered.
func TestSlowBodies(t *testing.T) {
	s, _, _ := start(t, nil)
	for range 40 {
		c, err := net.Dial("tcp", s.Address().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST %s/feedback HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n", api.Base)
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "100") {
			t.Fatalf("%q, %v", line, err)
		}
		fmt.Fprint(c, "{")
	}
	if status, body := getServer(t, s, api.Base+"/status"); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}

// TestHundredMegabyteBodies: refused before they are read, whether they say how long
// they are or not.
func TestHundredMegabyteBodies(t *testing.T) {
	s, _, _ := start(t, nil)
	before := heap()
	for _, announced := range []bool{true, false} {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				body := &endless{}
				body.left.Store(100 << 20)
				r, _ := http.NewRequest(http.MethodPost, "http://"+s.Address().String()+api.Base+"/feedback", body)
				r.Header.Set("Content-Type", "application/json")
				if announced {
					r.ContentLength = body.left.Load()
				}
				answer, err := http.DefaultClient.Do(r)
				if err == nil {
					defer answer.Body.Close()
					if answer.StatusCode != http.StatusRequestEntityTooLarge {
						t.Errorf("answered %d", answer.StatusCode)
					}
				}
				if sent := 100<<20 - body.left.Load(); sent > 8<<20 {
					t.Errorf("%d MB were read", sent>>20)
				}
			})
		}
		all.Wait()
	}
	grown := heap() - before
	t.Logf("16 bodies of 100 MB take %d kB", grown>>10)
	if grown > 32<<20 {
		t.Errorf("bodies take %d MB", grown>>20)
	}
	if status, _ := getServer(t, s, api.Base+"/status"); status != http.StatusOK {
		t.Errorf("afterwards the server answers %d", status)
	}
}

// endless is a body of JSON that does not end soon.
type endless struct{ left atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left.Load() <= 0 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = ' '
	}
	e.left.Add(-int64(len(p)))
	return len(p), nil
}

// TestSlowClients: who sends his headers or his body byte by byte is cut off.
func TestSlowClients(t *testing.T) {
	s, _, _ := start(t, func(o *handler.ServerOptions) { o.Header, o.Request = 200*time.Millisecond, 400*time.Millisecond })
	for name, begin := range map[string]string{
		"headers": "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
		"body":    "POST " + api.Base + "/feedback HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
		"nothing": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", s.Address().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			began := time.Now()
			fmt.Fprint(c, begin)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = io.Copy(io.Discard, c) // until the server has had enough
			}()
			for {
				select {
				case <-ended:
				case <-time.After(20 * time.Millisecond):
					if name != "nothing" {
						_, _ = c.Write([]byte("x"))
					}
					if time.Since(began) < time.Minute {
						continue
					}
					t.Error("it is still connected")
				}
				return
			}
		})
	}
}

// TestLongHeaders are refused.
func TestLongHeaders(t *testing.T) {
	s, _, _ := start(t, nil)
	r, _ := http.NewRequest(http.MethodGet, "http://"+s.Address().String()+"/", nil)
	r.Header.Set("X-Long", strings.Repeat("x", 64<<10))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return // cut off
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("answered %d", answer.StatusCode)
	}
}

// TestShutdown: streams end at once, and requests that are under way are finished.
// Neither waits for the end of the grace.
func TestShutdown(t *testing.T) {
	site := sitetest.New()
	began, release := make(chan struct{}), make(chan struct{})
	h := sitetest.NewHandler(t, site, "", func(o *handler.Options) {
		o.Receivers = []handler.Receiver{{Path: api.Base + "/write", Bytes: 1 << 20, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(began)
			<-release
			fmt.Fprint(w, "done")
		})}}
	})
	o := handler.DefaultServerOptions()
	o.Address, o.Ending, o.Grace = "127.0.0.1:0", h.Close, 2*time.Minute
	s, err := handler.Listen(o, h)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	r, _ := http.NewRequest(http.MethodGet, "http://"+s.Address().String()+api.Base+"/events", nil)
	r.Header.Set("Accept", "text/event-stream")
	events, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	written := make(chan string, 1)
	go func() {
		answer, err := http.Post("http://"+s.Address().String()+api.Base+"/write", "application/x-protobuf", strings.NewReader("x"))
		if err != nil {
			written <- err.Error()
			return
		}
		body, _ := io.ReadAll(answer.Body)
		written <- string(body)
	}()
	<-began
	time.AfterFunc(300*time.Millisecond, func() { close(release) })
	start := time.Now()
	s.Shutdown()
	if took := time.Since(start); took > o.Grace/2 {
		t.Errorf("it took %v", took)
	}
	if _, err := io.ReadAll(events.Body); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	if got := <-written; got != "done" {
		t.Errorf("what was under way ended with %s", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestGrace: a request that does not end is cut off.
func TestGrace(t *testing.T) {
	began := make(chan struct{})
	o := handler.DefaultServerOptions()
	o.Address, o.Grace = "127.0.0.1:0", 300*time.Millisecond
	s, err := handler.Listen(o, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(began)
		<-r.Context().Done()
	}))
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve() }()
	go func() { _, _ = http.Get("http://" + s.Address().String()) }()
	<-began
	start := time.Now()
	s.Shutdown()
	if took := time.Since(start); took < o.Grace || took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// TestUnixSocket: one that a killed server left is replaced, one that is served is
// not.
func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "api.sock")
	left, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	left.(*net.UnixListener).SetUnlinkOnClose(false)
	left.Close()
	s, _, _ := start(t, func(o *handler.ServerOptions) { o.Address = "unix:" + path })
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}}
	answer, err := client.Get("http://localhost" + api.Base + "/status")
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", answer, err)
	}
	answer.Body.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := handler.Listen(handler.ServerOptions{Address: "unix:" + path}, nil); err == nil || !strings.Contains(err.Error(), "another server uses this socket") {
		t.Error(err)
	}
	_ = s
	if _, err := handler.Listen(handler.ServerOptions{Address: "256.0.0.1:1"}, nil); err == nil || !strings.Contains(err.Error(), "choose another address") {
		t.Error(errors.Join(err, errors.New("no cure")))
	}
}
