package handler_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// TestUsersAreNamedWithoutSecrets: names and roles are told to operators, and neither
// hashes nor tokens to anybody.
func TestUsersAreNamedWithoutSecrets(t *testing.T) {
	const hash = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"
	users := sitetest.Users(t)
	text, err := os.ReadFile(users)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "users.yaml")
	if err := os.WriteFile(path, append([]byte("users:\n  - {name: ada, role: viewer, bcrypt: "+hash+"}\n"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	h := sitetest.NewHandler(t, sitetest.New(), path, nil)
	if w := ask(h, access.Viewer, http.MethodGet, api.Base+"/users", ""); w.Code != http.StatusForbidden {
		t.Errorf("a viewer is answered %d", w.Code)
	}
	got := ask(h, access.Operator, http.MethodGet, api.Base+"/users", "").Body.String()
	if !strings.Contains(got, `{"name":"ada","how":"password","roles":["viewer"]}`) || !strings.Contains(got, `"name":"the-ingest","how":"token"`) {
		t.Errorf("users are %s", got)
	}
	for _, secret := range []string{hash, "$2a$", sitetest.Token(access.Operator), "sha256"} {
		if strings.Contains(got, secret) {
			t.Errorf("the answer has %q", secret)
		}
	}
}
