package packaging

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestRules: Prometheus's own tool takes the rules, and they fire when they should.
func TestRules(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	for _, args := range [][]string{{"check", "rules", "limpet.rules.yml"}, {"test", "rules", "limpet.rules.test.yml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = "prometheus"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}

// TestDashboard: every panel has a place of its own and asks for metrics of limpet, and
// incidents lead to their pages.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("grafana/limpet.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	taken, ids := map[[2]int]string{}, map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || len(p.Targets) == 0 {
			t.Errorf("%s has no ID of its own, or asks for nothing", p.Title)
		}
		ids[p.ID] = true
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if taken[at] != "" || at[0] >= 24 {
					t.Fatalf("%s lies over %s, or outside", p.Title, taken[at])
				}
				taken[at] = p.Title
			}
		}
		for _, q := range p.Targets {
			if !strings.Contains(q.Expr, "limpet_") {
				t.Errorf("%s asks for %s", p.Title, q.Expr)
			}
		}
	}
	if len(board.Panels) < 10 || !strings.Contains(string(text), "${__data.fields.url}") {
		t.Error("panels are missing, or the link to the console")
	}
}
