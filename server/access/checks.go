package access

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"sync"
	"time"
)

// Bounds of checking passwords. A check takes a quarter of a second of a core.
const (
	checksAtOnce   = 2    // so that logins leave cores for the diagnosis
	checksWaiting  = 32   // more are told to come again
	maxRemembered  = 1024 // logins that are not checked again
	maxGuessers    = 4096
	freeFailures   = 5 // before an address has to wait
	rememberLogin  = 10 * time.Minute
	longestPenalty = time.Minute
)

// checks bounds how many passwords are checked, remembers those that were right,
// and slows down who guesses.
type checks struct {
	now     func() time.Time
	running chan struct{}
	waiting chan struct{}
	key     []byte // of what is remembered: no password is kept

	mu       sync.Mutex
	right    map[[sha256.Size]byte]time.Time // until when
	guessers map[string]guesses
}

type guesses struct {
	failed int
	next   time.Time // no check before then
}

func newChecks(now func() time.Time) *checks {
	c := &checks{
		now: now, running: make(chan struct{}, checksAtOnce), waiting: make(chan struct{}, checksWaiting),
		key: make([]byte, sha256.Size), right: map[[sha256.Size]byte]time.Time{}, guessers: map[string]guesses{},
	}
	_, _ = rand.Read(c.key) // it never fails
	return c
}

// do checks a login by somebody, or finds that it was checked lately.
func (c *checks) do(ctx context.Context, by, name, password string, matches func() bool) error {
	id := c.id(name, password)
	if c.known(id) {
		return nil
	}
	if err := c.mayTry(by); err != nil {
		return err
	}
	select {
	case c.waiting <- struct{}{}:
		defer func() { <-c.waiting }()
	default:
		return ErrBusy
	}
	select {
	case c.running <- struct{}{}:
		defer func() { <-c.running }()
	case <-ctx.Done():
		return ErrBusy
	}
	if c.known(id) { // by who was before us
		return nil
	}
	if err := c.mayTry(by); err != nil {
		return err
	}
	return c.judge(id, by, matches())
}

func (c *checks) id(name, password string) (id [sha256.Size]byte) {
	mac := hmac.New(sha256.New, c.key)
	mac.Write([]byte(name + "\x00" + password))
	mac.Sum(id[:0])
	return id
}

func (c *checks) known(id [sha256.Size]byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Before(c.right[id])
}

// mayTry says whether somebody may try a password now.
func (c *checks) mayTry(by string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if wait := c.guessers[by].next.Sub(c.now()); wait > 0 {
		return &TooSoon{wait}
	}
	return nil
}

// judge remembers how a check ended.
func (c *checks) judge(id [sha256.Size]byte, by string, right bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if right {
		delete(c.guessers, by)
		makeRoom(c.right, maxRemembered, func(until time.Time) bool { return !now.Before(until) })
		c.right[id] = now.Add(rememberLogin)
		return nil
	}
	g := c.guessers[by]
	if g.failed++; g.failed >= freeFailures {
		g.next = now.Add(min(time.Second<<min(g.failed-freeFailures, 6), longestPenalty))
	}
	makeRoom(c.guessers, maxGuessers, func(g guesses) bool { return now.Sub(g.next) > longestPenalty })
	c.guessers[by] = g
	return ErrWrong
}

// makeRoom takes what is over out of a full map, and something else if nothing is.
func makeRoom[K comparable, V any](m map[K]V, most int, over func(V) bool) {
	if len(m) < most {
		return
	}
	maps.DeleteFunc(m, func(_ K, v V) bool { return over(v) })
	for k := range m {
		if len(m) < most {
			return
		}
		delete(m, k)
	}
}

// forget has every login checked again.
func (c *checks) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.right)
}
