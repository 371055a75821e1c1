package sitetest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/handler"
)

// Users writes a file of users with a token of each role: viewer, operator, ingest.
// A password is never needed, as checking one takes long.
func Users(tb testing.TB) string {
	tb.Helper()
	dir, text := tb.TempDir(), "tokens:\n"
	for _, role := range access.Roles() {
		token := filepath.Join(dir, string(role)+".token")
		if err := os.WriteFile(token, []byte(Token(role)), 0o600); err != nil {
			tb.Fatal(err)
		}
		text += fmt.Sprintf("  - {name: the-%s, role: %s, file: %s}\n", role, role, token)
	}
	path := filepath.Join(dir, "users.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// Token is that of a role.
func Token(role access.Role) string { return "token-of-the-tests-for-" + string(role) }

// Authorize adds the token of a role to a request.
func Authorize(r *http.Request, role access.Role) {
	if role != access.Anyone {
		r.Header.Set("Authorization", "Bearer "+Token(role))
	}
}

// NewHandler serves the API of a site at the time Now. Without a file of users it is open.
func NewHandler(tb testing.TB, s *Site, users string, change func(*handler.Options)) *handler.Handler {
	tb.Helper()
	now := func() time.Time { return time.Unix(Now, 0) }
	gate, err := access.NewGate(access.Options{UsersFile: users, Now: now})
	if err != nil {
		tb.Fatal(err)
	}
	o := handler.Options{Site: s, Gate: gate, Now: now, Stream: handler.DefaultStreamOptions(), Report: func(err error) { tb.Log("reported: ", err) }}
	if change != nil {
		change(&o)
	}
	h := handler.New(o)
	s.Published = h.Publish
	tb.Cleanup(h.Close)
	return h
}
