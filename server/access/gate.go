package access

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// Options are those of a gate.
type Options struct {
	// UsersFile names the file of users; empty: there are none, and everybody who
	// reaches the server may do everything.
	UsersFile string
	// AnyHost takes requests without users by any host name. Otherwise they have to
	// name the server by an address or as localhost, so that a stranger's page in
	// an operator's browser cannot ask.
	AnyHost bool
	// Now is the clock that slows guessers down.
	Now func() time.Time
}

// A Gate says who sent a request. It is safe for use by many.
type Gate struct {
	options Options
	users   atomic.Pointer[users]
	checks  *checks
	Failed  atomic.Int64 // logins that failed since the start
}

// NewGate reads the file of users, if there is one.
func NewGate(o Options) (*Gate, error) {
	g := &Gate{options: o, checks: newChecks(o.Now)}
	return g, g.Reload()
}

// Reload reads the file of users again. Where it has mistakes, those known before
// remain.
func (g *Gate) Reload() error {
	if g.options.UsersFile == "" {
		return nil
	}
	u, err := readUsers(g.options.UsersFile)
	if err != nil {
		return err
	}
	g.users.Store(u)
	g.checks.forget()
	return nil
}

// Open says whether there are no users, so that everybody may do everything.
func (g *Gate) Open() bool { return g.options.UsersFile == "" }

// User is someone who may log in, without secrets.
type User struct {
	Name  string
	How   string // password or token
	Roles []Role
}

// Users lists those who may log in, by name. Whom a proxy names is not known.
func (g *Gate) Users() []User {
	u := g.users.Load()
	if u == nil {
		return nil
	}
	var list []User
	for name, p := range u.people {
		list = append(list, User{name, "password", slices.Clone(p.roles)})
	}
	for _, t := range u.tokens {
		list = append(list, User{t.name, "token", slices.Clone(t.roles)})
	}
	slices.SortFunc(list, func(a, b User) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.How, b.How)) })
	return list
}

// The errors of [Gate.Identify], beside [*TooSoon]. Their text may be shown.
var (
	ErrNobody = errors.New("the request has no login: send a user name and a password, or a token")
	ErrWrong  = errors.New("the user name, the password or the token is wrong")
	ErrHost   = errors.New("the host name in the request is not allowed: a server without a file of users answers only requests to its own address or to localhost")
	ErrBusy   = errors.New("the server is checking too many other logins; try again in a second")
)

// TooSoon is the error of who has guessed too often.
type TooSoon struct{ Wait time.Duration }

func (e *TooSoon) Error() string {
	return fmt.Sprintf("too many logins from your address have failed; try again in %d s", e.Seconds())
}

// Seconds is how long to wait.
func (e *TooSoon) Seconds() int { return int(e.Wait/time.Second) + 1 }

// Identify says who sent a request.
func (g *Gate) Identify(r *http.Request) (Caller, error) {
	if g.Open() {
		if _, network := peer(r.RemoteAddr); network && !g.options.AnyHost && !local(r.Host) {
			return Caller{}, ErrHost
		}
		return Caller{Name: "local", Roles: Roles()}, nil
	}
	u := g.users.Load()
	if c, ok := u.proxy.caller(r); ok {
		return c, nil
	}
	if name, password, ok := r.BasicAuth(); ok {
		return g.login(r, u, name, password)
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return Caller{}, ErrNobody
	}
	if t := u.token(strings.TrimSpace(secret)); t != nil {
		return Caller{Name: t.name, Roles: t.roles, Bearer: true}, nil
	}
	g.Failed.Add(1)
	return Caller{}, ErrWrong
}

// token finds a token. It takes the same time whichever it is.
func (u *users) token(secret string) *token {
	sum := sha256.Sum256([]byte(secret))
	var found *token
	for i := range u.tokens {
		if subtle.ConstantTimeCompare(sum[:], u.tokens[i].sum[:]) == 1 {
			found = &u.tokens[i]
		}
	}
	return found
}

// login checks a password, unless it was checked lately.
func (g *Gate) login(r *http.Request, u *users, name, password string) (Caller, error) {
	p, known := u.people[name]
	err := g.checks.do(r.Context(), guesser(r), name, password, func() bool { return matches(p, known, password) })
	if errors.Is(err, ErrWrong) {
		g.Failed.Add(1)
	}
	if err != nil {
		return Caller{}, err
	}
	return Caller{Name: name, Roles: slices.Clone(p.roles)}, nil
}

// nobodysHash is compared with where there is no such user, so that a wrong name
// takes as long as a wrong password.
var nobodysHash = []byte("$2a$12$VR1CvVyJIN9jTC.v96Ci/ulIxhHhnP0Z3vJI.REYSoNsyw6Rpoc9G")

func matches(p person, known bool, password string) bool {
	hash := nobodysHash
	if known {
		hash = p.hash
	}
	return bcrypt.CompareHashAndPassword(hash, []byte(password)) == nil && known
}

type callerKey struct{}

// With keeps the caller beside a request.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// From is the caller of a request; nobody where none was kept.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
