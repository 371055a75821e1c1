package access

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/crypto/bcrypt"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// A file of users names people with bcrypt hashes, programs with tokens, and the proxies that are
// trusted to name users. The setting file of a token is the path of a file with the token itself;
// the setting sha256 is the output of sha256sum for the token.
//
//	users:
//	  - name: ada
//	    role: operator
//	    bcrypt: $2a$12$LuGHF97z/56Ldq19CIcDX.wjWcOXMjvqkYBJfqw.Vq8e.wQ6d0aCO
//	tokens:
//	  - name: prometheus
//	    role: ingest
//	    file: prometheus.token
//	proxy:
//	  addresses: [10.0.0.5, 10.1.0.0/16]
//	  user_header: X-Remote-User
//	  role_header: X-Remote-Role    # or
//	  role: viewer                  # role of all users of the proxy

// Bounds of the file of users, of tokens and of names.
const (
	maxFileBytes  = 1 << 20
	maxTokenBytes = 4 << 10
	minTokenBytes = 16
	maxNameBytes  = 128
	// A lower cost of bcrypt makes guesses too cheap, a higher cost makes checks too slow.
	minCost, maxCost = 10, 14
)

// users holds the contents of a file of users.
type users struct {
	people map[string]person
	tokens []token
	proxy  *proxy
}

type person struct {
	hash  []byte
	roles []Role
}

type token struct {
	name  string
	sum   [sha256.Size]byte
	roles []Role
}

// readUsers reads a file of users. The error lists all mistakes, and shows no hash.
func readUsers(path string) (*users, error) {
	data, err := bounded.ReadFile(path, maxFileBytes, "a file of users")
	if err != nil {
		return nil, err
	}
	return parseUsers(path, data)
}

func parseUsers(path string, data []byte) (*users, error) {
	r := &reader{Decoder: yamlfile.New(path), dir: filepath.Dir(path), named: map[string]int{}}
	u := r.file(data)
	if err := r.Err(); err != nil {
		return nil, hideSource(err)
	}
	return u, nil
}

// aHash matches a bcrypt hash anywhere in a text.
var aHash = regexp.MustCompile(`\$2[a-z]?\$[0-9]{2}\$[./A-Za-z0-9]*`)

// hideSource removes the quoted lines of the file, and all hashes, from the errors.
func hideSource(err error) error {
	var list []error
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		if line, ok := errors.AsType[*yamlfile.LineError](e); ok {
			line.Source, line.Text = "", aHash.ReplaceAllString(line.Text, "(hash)")
		}
		list = append(list, e)
	}
	return errors.Join(list...)
}

type reader struct {
	*yamlfile.Decoder
	dir   string
	named map[string]int // name → line of its entry
}

func (r *reader) file(data []byte) *users {
	u := &users{people: map[string]person{}}
	root := r.Root(data, "users:")
	if root == nil {
		return u
	}
	f := r.Fields(root, "a file of users", "users", "tokens", "proxy")
	for _, n := range r.Entries(f["users"], "users") {
		r.person(n, u)
	}
	for _, n := range r.Entries(f["tokens"], "tokens") {
		r.token(n, u)
	}
	if f["proxy"] != nil {
		u.proxy = r.proxy(f["proxy"])
	}
	if len(u.people)+len(u.tokens) == 0 && u.proxy == nil && r.Mistakes() == 0 {
		r.Errorf(root, "the file of users is empty; add the section \"users\", \"tokens\" or \"proxy\" to the file, or remove the setting \"users\" from the configuration")
	}
	return u
}

func (r *reader) person(n *yaml.Node, u *users) {
	f := r.Fields(n, "a user", "name", "role", "bcrypt")
	if !r.Required(n, f, "name", "role", "bcrypt") {
		return
	}
	name, hash := r.name(f["name"]), r.Text(f["bcrypt"])
	cost, err := bcrypt.Cost([]byte(hash))
	switch {
	case err != nil:
		r.Errorf(f["bcrypt"], "the setting bcrypt is not a bcrypt hash of a password; make a hash with limpet serve --hash")
	case cost < minCost || cost > maxCost:
		r.Errorf(f["bcrypt"], "the hash has the bcrypt cost %d, and the cost must be %d to %d; make a new hash with limpet serve --hash", cost, minCost, maxCost)
	}
	u.people[name] = person{[]byte(hash), r.roles(f["role"])}
}

func (r *reader) token(n *yaml.Node, u *users) {
	f := r.Fields(n, "a token", "name", "role", "file", "sha256")
	if !r.Required(n, f, "name", "role") {
		return
	}
	t := token{name: r.name(f["name"]), roles: r.roles(f["role"])}
	switch {
	case (f["file"] == nil) == (f["sha256"] == nil):
		r.Errorf(n, "a token needs either the setting \"file\" or the setting \"sha256\", and not both")
	case f["file"] != nil:
		t.sum = r.tokenFile(f["file"])
	default:
		sum, err := hex.DecodeString(r.Text(f["sha256"]))
		if err != nil || len(sum) != sha256.Size {
			r.Errorf(f["sha256"], "the setting is not a SHA-256 in hexadecimal; write the output of printf %%s TOKEN | sha256sum")
		}
		copy(t.sum[:], sum)
	}
	u.tokens = append(u.tokens, t)
}

// tokenFile returns the SHA-256 of the token in a file. A relative path starts at the directory of
// the file of users.
func (r *reader) tokenFile(n *yaml.Node) [sha256.Size]byte {
	path := r.Text(n)
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	data, err := bounded.ReadFile(path, maxTokenBytes, "a token")
	text := strings.TrimRight(string(data), "\r\n")
	switch {
	case err != nil:
		r.Errorf(n, "the token cannot be read: %v; name a file that holds the token", err)
	case len(text) < minTokenBytes:
		r.Errorf(n, "the token has %d bytes, and at least %d bytes are needed; make a token with openssl rand -hex 32", len(text), minTokenBytes)
	case strings.ContainsAny(text, " \t\r\n"):
		r.Errorf(n, "the file of the token has spaces or several lines; write only the token into the file")
	}
	return sha256.Sum256([]byte(text))
}

// name reads a name. No other entry of the file may have the same name.
func (r *reader) name(n *yaml.Node) string {
	name := r.Text(n)
	switch first := r.named[name]; {
	case !isName(name):
		r.Errorf(n, "%q is not a valid user name; write up to %d printable characters without a colon", name, maxNameBytes)
	case first != 0:
		r.Errorf(n, "the name %q is listed twice, first in line %d; remove one of the two entries", name, first)
	default:
		r.named[name] = n.Line
	}
	return name
}

// isName reports whether a name can be sent and shown. A name has no colon, because a colon ends
// the name in Basic authentication.
func isName(name string) bool {
	odd := func(r rune) bool { return r <= ' ' || r == ':' || r == 0x7f || r == '�' }
	return name != "" && len(name) <= maxNameBytes && strings.IndexFunc(name, odd) < 0
}

func (r *reader) roles(n *yaml.Node) []Role {
	var roles []Role
	for _, text := range r.Texts(n) {
		if !slices.Contains(Roles(), Role(text)) {
			r.Errorf(n, "role %q is unknown; write viewer, operator or ingest", text)
		}
		roles = append(roles, Role(text))
	}
	return roles
}

func (r *reader) proxy(n *yaml.Node) *proxy {
	f := r.Fields(n, "proxy", "addresses", "user_header", "role_header", "role")
	if !r.Required(n, f, "addresses", "user_header") {
		return nil
	}
	p := &proxy{userHeader: r.header(f["user_header"]), roleHeader: r.header(f["role_header"])}
	if (f["role_header"] == nil) == (f["role"] == nil) {
		r.Errorf(n, "the section \"proxy\" needs either the setting \"role_header\" or the setting \"role\", and not both")
	} else if f["role"] != nil {
		p.roles = r.roles(f["role"])
	}
	for _, text := range r.Texts(f["addresses"]) {
		if text == unixPeer {
			p.unix = true
			continue
		}
		prefix, err := parsePrefix(text)
		if err != nil {
			r.Errorf(f["addresses"], "%q is not the address of a proxy; write an address such as 10.0.0.5, a network such as 10.1.0.0/16, or the word unix (the proxy connects to the Unix socket of limpet)", text)
			continue
		}
		if prefix.Bits() == 0 {
			r.Errorf(f["addresses"], "%s means every address, so any client could send the name of any user; write only the addresses of the proxies", prefix)
		}
		p.from = append(p.from, prefix)
	}
	return p
}

// header reads the name of a header. Headers that clients set themselves are refused.
func (r *reader) header(n *yaml.Node) string {
	name := r.Text(n)
	odd := func(c rune) bool {
		return c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}
	switch {
	case n == nil:
	case name == "" || strings.IndexFunc(name, odd) >= 0:
		r.Errorf(n, "%q is not the name of an HTTP header; write a name such as X-Remote-User", name)
	case slices.Contains([]string{"authorization", "host", "cookie", "origin"}, strings.ToLower(name)):
		r.Errorf(n, "clients can set the header %s; name a header that only the proxy sets", name)
	}
	return name
}

func parsePrefix(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		prefix, err := netip.ParsePrefix(text)
		return prefix.Masked(), err
	}
	address, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	address = address.Unmap().WithZone("")
	return netip.PrefixFrom(address, address.BitLen()), nil
}

// Hash returns the bcrypt hash of a password, for the file of users.
func Hash(password string) (string, error) {
	switch {
	case len(password) < 8:
		return "", fmt.Errorf("the password has only %d bytes; use a password of at least 8 bytes", len(password))
	case len(password) > 72:
		return "", fmt.Errorf("the password has %d bytes; use a password of at most 72 bytes, the limit of bcrypt", len(password))
	case strings.ContainsAny(password, "\x00\r\n"):
		return "", errors.New("the password contains a line break or a zero byte; choose a password without these characters")
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), hashCost)
	return string(hash), err
}

// hashCost is a bcrypt cost that takes a quarter of a second on a current server.
const hashCost = 12
