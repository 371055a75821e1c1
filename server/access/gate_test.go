package access

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// clock is one that tests turn.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time        { return time.Unix(1_800_000_000, c.at.Load()) }
func (c *clock) turn(by time.Duration) { c.at.Add(int64(by)) }

func gate(t *testing.T, text string) (*Gate, *clock) {
	t.Helper()
	c := &clock{}
	path := ""
	if text != "" {
		path = write(t, text)
	}
	g, err := NewGate(Options{UsersFile: path, Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	return g, c
}

func request(from string, header ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
	r.RemoteAddr = from
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

func basic(from, name, password string) *http.Request {
	r := request(from)
	r.SetBasicAuth(name, password)
	return r
}

func TestIdentify(t *testing.T) {
	g, _ := gate(t, good)
	const anywhere = "192.0.2.7:4711"
	for name, c := range map[string]struct {
		r    *http.Request
		want string
		err  error
	}{
		"nobody":                    {request(anywhere), "", ErrNobody},
		"password":                  {basic(anywhere, "ada", adasPassword), "ada [operator]", nil},
		"two roles":                 {basic(anywhere, "bob", adasPassword), "bob [viewer ingest]", nil},
		"wrong password":            {basic(anywhere, "ada", "guess"), "", ErrWrong},
		"no such user":              {basic(anywhere, "eve", adasPassword), "", ErrWrong},
		"token":                     {request(anywhere, "Authorization", "Bearer "+aToken), "prometheus [ingest]", nil},
		"token, small letters":      {request(anywhere, "Authorization", "bearer "+aToken), "prometheus [ingest]", nil},
		"token by its sum":          {request(anywhere, "Authorization", "Bearer \n"), "", ErrWrong},
		"wrong token":               {request(anywhere, "Authorization", "Bearer "+aToken+"0"), "", ErrWrong},
		"other scheme":              {request(anywhere, "Authorization", "Digest x"), "", ErrNobody},
		"proxy":                     {request("10.0.0.5:80", "X-Remote-User", "carol", "X-Remote-Role", "viewer, operator,admin"), "carol [viewer operator]", nil},
		"proxy, mapped address":     {request("[::ffff:10.0.0.5]:80", "X-Remote-User", "carol", "X-Remote-Role", "viewer"), "carol [viewer]", nil},
		"proxy, network":            {request("[fd00::1]:80", "X-Remote-User", "carol"), "carol []", nil},
		"proxy, socket":             {request("@", "X-Remote-User", "carol", "X-Remote-Role", "ingest"), "carol [ingest]", nil},
		"who plays the proxy":       {request("10.0.0.6:80", "X-Remote-User", "carol", "X-Remote-Role", "operator"), "", ErrNobody},
		"proxy names two":           {request("10.0.0.5:80", "X-Remote-User", "a", "X-Remote-User", "b"), "", ErrNobody},
		"proxy names nobody":        {request("10.0.0.5:80", "X-Remote-Role", "operator"), "", ErrNobody},
		"proxy passes on a token":   {request("10.0.0.5:80", "Authorization", "Bearer "+aToken), "prometheus [ingest]", nil},
		"a hash is no password":     {basic("192.0.2.8:1", "ada", adasHash), "", ErrWrong},
		"an empty password is none": {basic("192.0.2.8:1", "ada", ""), "", ErrWrong},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := g.Identify(c.r)
			if said := fmt.Sprint(got.Name, " ", got.Roles); !errors.Is(err, c.err) || err == nil && said != c.want {
				t.Errorf("%s, %v, want %s, %v", said, err, c.want, c.err)
			}
		})
	}
}

func TestRoles(t *testing.T) {
	for have, may := range map[Role][]Role{Viewer: {Anyone, Viewer}, Operator: {Anyone, Viewer, Operator}, Ingest: {Anyone, Ingest}} {
		for _, need := range append(Roles(), Anyone) {
			if got := (Caller{Roles: []Role{have}}).May(need); got != slices.Contains(may, need) {
				t.Errorf("%s may do what takes %q: %v", have, need, got)
			}
		}
	}
}

// TestNoUsers: whoever reaches the server may do everything, but not a page of a
// stranger whose name was made to mean this machine.
func TestNoUsers(t *testing.T) {
	g, _ := gate(t, "")
	for host, want := range map[string]error{
		"localhost": nil, "localhost:9714": nil, "127.0.0.1:9714": nil, "[::1]:9714": nil, "192.0.2.1": nil,
		"evil.example:9714": ErrHost, "localhost.evil.example": ErrHost, "": ErrHost,
	} {
		r := request("127.0.0.1:1")
		r.Host = host
		if _, err := g.Identify(r); !errors.Is(err, want) {
			t.Errorf("host %q: %v", host, err)
		}
	}
	socket := request("@")
	socket.Host = "any.example"
	if _, err := g.Identify(socket); err != nil {
		t.Errorf("at a socket, which no browser reaches: %v", err)
	}
	open, _ := NewGate(Options{AnyHost: true, Now: time.Now})
	r := request("192.0.2.1:1")
	r.Host = "storage.example"
	if c, err := open.Identify(r); err != nil || !c.May(Operator) || !c.May(Ingest) {
		t.Errorf("%v, %v", c, err)
	}
}

// TestGuessersWait: an address that fails too often has to wait, longer each time;
// others do not, and neither does a login that was checked before.
func TestGuessersWait(t *testing.T) {
	c := newChecks((&clock{}).now)
	at := &clock{}
	c.now = at.now
	try := func(by, password string) error {
		return c.do(context.Background(), by, "ada", password, func() bool { return password == "right" })
	}
	if err := try("home", "right"); err != nil {
		t.Fatal(err)
	}
	for i := range freeFailures {
		if err := try("guesser", fmt.Sprint(i)); !errors.Is(err, ErrWrong) {
			t.Fatalf("guess %d: %v", i, err)
		}
	}
	for wait := time.Second; wait <= 2*longestPenalty; wait *= 2 {
		var soon *TooSoon
		if err := try("guesser", "new"); !errors.As(err, &soon) || soon.Wait != min(wait, longestPenalty) {
			t.Fatalf("after %v: %v", wait, err)
		}
		if err := try("guesser", "right"); err != nil {
			t.Errorf("a login that is known has to wait: %v", err)
		}
		at.turn(min(wait, longestPenalty))
		if err := try("guesser", fmt.Sprint(wait)); !errors.Is(err, ErrWrong) {
			t.Fatal(err)
		}
	}
	if err := try("another", "wrong"); !errors.Is(err, ErrWrong) {
		t.Errorf("another address: %v", err)
	}
}

// TestChecksAreRemembered: a password is checked once in a while, and again after a
// reload.
func TestChecksAreRemembered(t *testing.T) {
	at := &clock{}
	c, checked := newChecks(at.now), 0
	try := func() { _ = c.do(context.Background(), "home", "ada", "right", func() bool { checked++; return true }) }
	for range 5 {
		try()
	}
	at.turn(rememberLogin)
	try()
	c.forget()
	try()
	if checked != 3 {
		t.Errorf("checked %d times, want 3", checked)
	}
}

// TestChecksAreBounded: however many log in at once, few are checked, some wait, and
// the others are told to come again. What is remembered is bounded, too.
func TestChecksAreBounded(t *testing.T) {
	c := newChecks(time.Now)
	var running, most, busy atomic.Int64
	release := make(chan struct{})
	var all sync.WaitGroup
	const logins = 400
	for i := range logins {
		all.Go(func() {
			err := c.do(context.Background(), fmt.Sprint(i), "ada", fmt.Sprint(i), func() bool {
				most.Store(max(most.Load(), running.Add(1)))
				<-release
				running.Add(-1)
				return false
			})
			if errors.Is(err, ErrBusy) && busy.Add(1) == logins-checksWaiting-checksAtOnce {
				close(release)
			}
		})
	}
	all.Wait()
	if most.Load() > checksAtOnce || busy.Load() != logins-checksWaiting-checksAtOnce {
		t.Errorf("%d at once, %d told to come again", most.Load(), busy.Load())
	}
	for i := range 3 * maxGuessers {
		_ = c.judge([32]byte{}, fmt.Sprint(i), false)
	}
	for i := range 3 * maxRemembered {
		_ = c.judge(c.id("ada", fmt.Sprint(i)), "x", true)
	}
	for i := range 3 * maxRemembered {
		_ = c.judge(c.id("ada", "x"), fmt.Sprint("home", i), true)
	}
	if len(c.guessers) > maxGuessers || len(c.right) > maxRemembered || len(c.homes) > maxRemembered {
		t.Errorf("%d guessers, %d logins and %d addresses are remembered", len(c.guessers), len(c.right), len(c.homes))
	}
}

// TestGuessersKeepNobodyOut: sixty clients guess without a pause, each guess from another
// address. Everybody who knows the password still logs in, within seconds, and who has
// logged in from an address before does so at once.
func TestGuessersKeepNobodyOut(t *testing.T) {
	for _, rotates := range []int{1 << 30, 250} { // addresses that the guessers have
		synctest.Test(t, func(t *testing.T) {
			c := newChecks(time.Now)
			try := func(by, password string) error {
				return c.do(t.Context(), by, "ada", password, func() bool {
					time.Sleep(250 * time.Millisecond)
					return password == "right"
				})
			}
			if err := try("home", "right"); err != nil {
				t.Fatal(err)
			}
			c.forget()
			var over atomic.Bool
			var guess atomic.Int64
			var all sync.WaitGroup
			for range 60 {
				all.Go(func() {
					for !over.Load() {
						n := guess.Add(1)
						if err := try(fmt.Sprint("guesser ", n%int64(rotates)), fmt.Sprint(n)); !errors.Is(err, ErrWrong) {
							time.Sleep(10 * time.Millisecond)
						}
					}
				})
			}
			time.Sleep(2 * time.Minute)
			for i := range 8 {
				for _, who := range []struct {
					by   string
					most time.Duration
				}{{fmt.Sprint("office ", i), 10 * time.Second}, {"home", time.Second}} {
					began := time.Now()
					err := try(who.by, "right")
					if took := time.Since(began); err != nil || took > who.most {
						t.Errorf("%s: %v after %v", who.by, err, took)
					}
					c.forget()
				}
			}
			over.Store(true)
			all.Wait()
		})
	}
}

// TestReload: new users count at once; a file with mistakes changes nothing.
func TestReload(t *testing.T) {
	g, _ := gate(t, good)
	path := g.options.UsersFile
	if err := os.WriteFile(path, []byte("users: nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := g.Reload(); err == nil {
		t.Error("nonsense is read")
	}
	if _, err := g.Identify(request("x", "Authorization", "Bearer "+aToken)); err != nil {
		t.Errorf("those known before are gone: %v", err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(good, "name: prometheus", "name: renamed", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := g.Reload(); err != nil {
		t.Fatal(err)
	}
	if c, _ := g.Identify(request("x", "Authorization", "Bearer "+aToken)); c.Name != "renamed" {
		t.Errorf("it is %s", c.Name)
	}
}
