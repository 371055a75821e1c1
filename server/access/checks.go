package access

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"slices"
	"sync"
	"time"
)

// Bounds of checking passwords. A check takes a quarter of a second of a core.
const (
	checksAtOnce   = 2    // largest number of checks at the same time, so that logins leave cores for the diagnosis
	checksWaiting  = 256  // largest number of waiting logins; the last one waits for half a minute, and further logins get an error
	waitingOfOne   = 8    // largest number of waiting logins from one address
	maxRemembered  = 1024 // largest number of logins that are not checked again, and of addresses with a login
	maxGuessers    = 4096
	freeFailures   = 5 // failed logins before an address has to wait
	rememberLogin  = 10 * time.Minute
	longestPenalty = time.Minute
	rememberHome   = 30 * 24 * time.Hour // time for which an address with a login is remembered
)

// checks bounds the number of password checks, remembers correct logins, and slows down addresses
// that guess.
type checks struct {
	now func() time.Time
	key []byte // key of the HMAC of remembered logins: no password is kept

	mu       sync.Mutex
	running  int
	waiting  []*waiter
	right    map[[sha256.Size]byte]time.Time // by HMAC: time until which the login is remembered
	homes    map[string]time.Time            // by address: time until which its login is remembered
	guessers map[string]guesses
}

// waiter is a login that waits to be checked.
type waiter struct {
	by   string
	rank rank
	turn chan bool // false: the place was given to somebody with a better rank
}

// rank is the order in which logins are checked. Guesses from ever new addresses
// then do not keep out who logged in before, and guesses from addresses that have
// failed keep out nobody.
type rank int

const (
	loggedIn rank = iota // a login came from the address before
	unknown
	failed // the last login from the address failed
)

type guesses struct {
	failed int
	next   time.Time // no check before then
}

func newChecks(now func() time.Time) *checks {
	c := &checks{
		now: now, key: make([]byte, sha256.Size),
		right: map[[sha256.Size]byte]time.Time{}, homes: map[string]time.Time{}, guessers: map[string]guesses{},
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
	if !c.begin(ctx, by) {
		return ErrBusy
	}
	defer c.end()
	if c.known(id) { // by who was before us
		return nil
	}
	if err := c.mayTry(by); err != nil {
		return err
	}
	return c.judge(id, by, matches())
}

// begin waits until a password may be checked. It returns false if too many wait, or if
// the client has gone.
func (c *checks) begin(ctx context.Context, by string) bool {
	w := &waiter{by: by, turn: make(chan bool, 1)}
	c.mu.Lock()
	if c.running < checksAtOnce {
		c.running++
		c.mu.Unlock()
		return true
	}
	w.rank = c.rankOf(by)
	isIn := c.enqueue(w)
	c.mu.Unlock()
	if !isIn {
		return false
	}
	select {
	case mayBegin := <-w.turn:
		return mayBegin
	case <-ctx.Done():
	}
	c.mu.Lock()
	at := slices.Index(c.waiting, w)
	if at >= 0 {
		c.waiting = slices.Delete(c.waiting, at, at+1)
	}
	c.mu.Unlock()
	if at < 0 && <-w.turn { // its turn came meanwhile
		c.end()
	}
	return false
}

// end lets the next login be checked: of those with the best rank the first.
func (c *checks) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		c.running--
		return
	}
	best := 0
	for i, w := range c.waiting {
		if w.rank < c.waiting[best].rank {
			best = i
		}
	}
	c.waiting[best].turn <- true
	c.waiting = slices.Delete(c.waiting, best, best+1)
}

// enqueue adds a login to those that wait. Where there is no room, it takes the place of
// the last one with a worse rank. The caller holds the lock.
func (c *checks) enqueue(w *waiter) bool {
	same, worst := 0, -1
	for i, other := range c.waiting {
		if other.by == w.by {
			same++
		}
		if other.rank > w.rank && (worst < 0 || other.rank >= c.waiting[worst].rank) {
			worst = i
		}
	}
	switch {
	case same >= waitingOfOne:
		return false
	case len(c.waiting) < checksWaiting:
	case worst < 0:
		return false
	default:
		c.waiting[worst].turn <- false
		c.waiting = slices.Delete(c.waiting, worst, worst+1)
	}
	c.waiting = append(c.waiting, w)
	return true
}

// rankOf is the rank of an address. The caller holds the lock.
func (c *checks) rankOf(by string) rank {
	switch _, guesses := c.guessers[by]; {
	case c.now().Before(c.homes[by]):
		return loggedIn
	case guesses:
		return failed
	}
	return unknown
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
		makeRoom(c.homes, maxRemembered, func(until time.Time) bool { return !now.Before(until) })
		c.homes[by] = now.Add(rememberHome)
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
