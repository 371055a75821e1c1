package access

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

const adasHash = "$2a$10$y4Mfi0CcIvb7RzWnMfVa9.mBq8F4sDCdwD3eVt9HpS0WxaC9FianS"

const (
	adasPassword = "ada's password"
	aToken       = "0123456789abcdef0123456789abcdef"
)

// good is a file with everything in it.
var good = `users:
  - {name: ada, role: operator, bcrypt: ` + adasHash + `}
  - {name: bob, role: [viewer, ingest], bcrypt: ` + adasHash + `}
tokens:
  - {name: prometheus, role: ingest, file: prometheus.token}
  - {name: robot, role: viewer, sha256: 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b}
proxy:
  addresses: [10.0.0.5, "fd00::/8", unix]
  user_header: X-Remote-User
  role_header: X-Remote-Role
`

// write writes a file of users with the token beside it.
func write(tb testing.TB, text string) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range map[string]string{"users.yaml": text, "prometheus.token": aToken + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return filepath.Join(dir, "users.yaml")
}

func TestGoodFile(t *testing.T) {
	u, err := readUsers(write(t, good))
	if err != nil {
		t.Fatal(err)
	}
	if len(u.people) != 2 || len(u.tokens) != 2 || len(u.proxy.from) != 2 || !u.proxy.unix {
		t.Errorf("read was %+v", u)
	}
}

// TestMistakes: each with its line and its cure, and none shows a hash.
func TestMistakes(t *testing.T) {
	user := func(line string) string { return "users:\n  - {" + line + "}\n" }
	for text, want := range map[string]string{
		"":                                "users.yaml:1: the file is empty; write at least users:",
		"users: []\n":                     "users.yaml:1: the file of users is empty; add the section \"users\", \"tokens\" or \"proxy\" to the file, or remove the setting \"users\" from the configuration",
		user("name: ada, role: operator"): `users.yaml:2: the setting "bcrypt" is missing; add this setting`,
		user("name: ada, role: admin, bcrypt: " + adasHash):                                                              `users.yaml:2: role "admin" is unknown; write viewer, operator or ingest`,
		user("name: ada, role: viewer, bcrypt: secret"):                                                                  "users.yaml:2: the setting bcrypt is not a bcrypt hash of a password; make a hash with limpet serve --hash",
		user("name: ada, role: viewer, bcrypt: " + strings.Replace(adasHash, "10", "04", 1)):                             "users.yaml:2: the hash has the bcrypt cost 4, and the cost must be 10 to 14",
		user("name: 'a:b', role: viewer, bcrypt: " + adasHash):                                                           `users.yaml:2: "a:b" is not a valid user name`,
		user("name: ada, role: viewer, bcrypt:" + adasHash):                                                              `the setting "bcrypt:(hash)" is unknown in a user`,
		user("name: ada, role: viewer, pasword: x"):                                                                      `the setting "pasword" is unknown in a user`,
		user("name: ada, role: viewer, bcrypt: "+adasHash) + "  - {name: ada, role: viewer, bcrypt: " + adasHash + "}\n": "users.yaml:3: the name \"ada\" is listed twice, first in line 2",
		"tokens:\n  - {name: a, role: ingest}\n":                                                                         "users.yaml:2: a token needs either the setting \"file\" or the setting \"sha256\", and not both",
		"tokens:\n  - {name: a, role: ingest, file: none}\n":                                                             "users.yaml:2: the token cannot be read",
		"tokens:\n  - {name: a, role: ingest, file: users.yaml}\n":                                                       "has spaces or several lines",
		"tokens:\n  - {name: a, role: ingest, sha256: abc}\n":                                                            "users.yaml:2: the setting is not a SHA-256",
		"proxy:\n  addresses: [everywhere]\n  user_header: X-User\n  role: viewer\n":                                     `"everywhere" is not the address of a proxy`,
		"proxy:\n  addresses: [0.0.0.0/0]\n  user_header: X-User\n  role: viewer\n":                                      "means every address, so any client could send the name of",
		"proxy:\n  addresses: [10.0.0.1]\n  user_header: Host\n  role: viewer\n":                                         "clients can set the header Host",
		"proxy:\n  addresses: [10.0.0.1]\n  user_header: X User\n  role: viewer\n":                                       `"X User" is not the name of an HTTP header`,
		"proxy:\n  addresses: [10.0.0.1]\n  user_header: X-User\n":                                                       `the section "proxy" needs either the setting "role_header" or the setting "role"`,
	} {
		_, err := readUsers(write(t, text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
			continue
		}
		if said := yamlfile.Explain(err); strings.Contains(said, "$2a$") {
			t.Errorf("a hash is shown: %s", said)
		}
	}
}

func TestShortTokens(t *testing.T) {
	path := write(t, "tokens:\n  - {name: a, role: ingest, file: short}\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "short"), []byte("abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readUsers(path); err == nil || !strings.Contains(err.Error(), "the token has 3 bytes, and at least 16 bytes are needed; make a token with openssl rand -hex 32") {
		t.Error(err)
	}
}

func TestHash(t *testing.T) {
	for password, want := range map[string]string{
		"short": "bytes; use a password of at least 8 bytes", strings.Repeat("x", 73): "bytes; use a password of at most 72 bytes, the limit of", "two\nlines here": "line break",
	} {
		if _, err := Hash(password); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", password, err)
		}
	}
	hash, err := Hash(adasPassword)
	if err != nil || !matches(person{hash: []byte(hash)}, true, adasPassword) || matches(person{hash: []byte(hash)}, true, "another") {
		t.Errorf("%s, %v", hash, err)
	}
	if _, err := parseUsers("u", []byte(fmt.Sprintf("users: [{name: ada, role: viewer, bcrypt: %s}]", hash))); err != nil {
		t.Error(err)
	}
}

// TestAddresses: loopback is open, everything else needs TLS and users.
func TestAddresses(t *testing.T) {
	safe := Protection{TLS: true, Users: true}
	for _, c := range []struct {
		address string
		p       Protection
		want    string
	}{
		{"127.0.0.1:9714", Protection{}, ""},
		{"[::1]:9714", Protection{}, ""},
		{"localhost:9714", Protection{}, ""},
		{"unix:/run/limpet.sock", Protection{}, ""},
		{"0.0.0.0:9714", safe, ""},
		{":9714", safe, ""},
		{":9714", Protection{InsecureOpenToNetwork: true}, ""},
		{":9714", Protection{}, "listen: :9714 can be reached from the network, so the configuration must also have a certificate with its key (section tls) and a file of users (setting users). Or let the server listen only on 127.0.0.1. To use this address without protection, write insecure_open_to_network: true into the section access of the configuration"},
		{"192.0.2.1:9714", Protection{Users: true}, "must also have a certificate with its key (section tls). Or"},
		{"storage.example:9714", Protection{TLS: true}, "must also have a file of users (setting users). Or"},
		{"[::ffff:10.0.0.1]:9714", Protection{}, "can be reached from the network"},
		{"9714", Protection{}, `"9714" is not an address`},
		{"unix:", Protection{}, "add the path of the socket, such as"},
	} {
		err := CheckAddress(c.address, c.p)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want %s", c.address, c.p, err, c.want)
		}
	}
}

func explained(err error) string {
	if err == nil {
		return ""
	}
	return yamlfile.Explain(err)
}

// excerpt is a line of a file as errors show it.
var excerpt = regexp.MustCompile(`(?m)^ +[0-9]+ \| `)

func FuzzUsers(f *testing.F) {
	f.Add(good)
	f.Add("users: [{}]")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := parseUsers("users.yaml", []byte(text))
		if (u == nil) == (err == nil) {
			t.Errorf("%v, %v", u, err)
		}
		if said := explained(err); excerpt.MatchString(said) || aHash.MatchString(said) {
			t.Errorf("a line of the file, or a hash, is shown: %s", said)
		}
	})
}
