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

// Options are the options of a gate.
type Options struct {
	// UsersFile is the path of the file of users; empty: there are no users, and everybody who can
	// reach the server may do everything.
	UsersFile string
	// AnyHost allows any host name in a request if there are no users. Otherwise the request must
	// name the server by an IP address or as localhost. This check protects against web pages that
	// attack the server from an operator's browser (DNS rebinding).
	AnyHost bool
	// Now is the clock for the delays after wrong passwords.
	Now func() time.Time
}

// A Gate identifies the sender of a request. It is safe for concurrent use.
type Gate struct {
	options Options
	users   atomic.Pointer[users]
	checks  *checks
	Failed  atomic.Int64 // number of logins that failed since the start
}

// NewGate reads the file of users, if there is one.
func NewGate(o Options) (*Gate, error) {
	g := &Gate{options: o, checks: newChecks(o.Now)}
	return g, g.Reload()
}

// Reload reads the file of users again. If the file has errors, the previous users remain valid.
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

// Open reports whether there are no users, so that everybody may do everything.
func (g *Gate) Open() bool { return g.options.UsersFile == "" }

// User is a user of a [Gate], without secrets.
type User struct {
	Name  string
	How   string // password or token
	Roles []Role
}

// Users lists the users of the file, sorted by name. It does not list users that a proxy names.
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

// The errors of [Gate.Identify], beside [*TooSoon]. Their text may be shown to the client.
var (
	ErrNobody = errors.New("the request has no login: send a user name and a password, or a token")
	ErrWrong  = errors.New("the user name, the password or the token is wrong")
	ErrHost   = errors.New("the host name in the request is not allowed: a server without a file of users answers only requests to its own address or to localhost")
	ErrBusy   = errors.New("the server is checking too many other logins; try again in a second")
)

// TooSoon is the error for an address from which too many logins failed.
type TooSoon struct{ Wait time.Duration }

func (e *TooSoon) Error() string {
	return fmt.Sprintf("too many logins from your address have failed; try again in %d s", e.Seconds())
}

// Seconds returns how many seconds the client must wait.
func (e *TooSoon) Seconds() int { return int(e.Wait/time.Second) + 1 }

// Identify returns the sender of a request.
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

// token returns the token with this secret, or nil. Its duration does not depend on the secret.
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

// login checks a password, unless the same login was correct recently.
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

// nobodysHash is the hash for users that do not exist. So a wrong name takes as long as a wrong
// password.
var nobodysHash = []byte("$2a$12$VR1CvVyJIN9jTC.v96Ci/ulIxhHhnP0Z3vJI.REYSoNsyw6Rpoc9G")

func matches(p person, known bool, password string) bool {
	hash := nobodysHash
	if known {
		hash = p.hash
	}
	return bcrypt.CompareHashAndPassword(hash, []byte(password)) == nil && known
}

type callerKey struct{}

// With returns a context that holds the caller of a request.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// From returns the caller of a request; the zero Caller if the context holds none.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
