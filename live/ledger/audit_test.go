package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// TestAuditIsOneRowForEachChange: the two entries of a change, before and after it, are one row with
// the outcome, on whichever page the row is. A change without a second entry has no known outcome.
func TestAuditIsOneRowForEachChange(t *testing.T) {
	l := ledgertest.Open(t)
	for _, entry := range []string{
		"10 mute a asked", "10 mute a done", // 1
		"10 mute a asked", "10 mute a refused: muted", // 3: the same change in the same second
		"20 backup - asked",                                            // 5: limpet was killed
		"30 backup - asked", "31 reload - asked", "32 resolve b asked", // 6, 7, 8: at the same time
		"31 reload - failed", "32 resolve b done", "30 backup - done",
	} {
		a := ledger.Audit{Who: "ann"}
		f := strings.SplitN(entry, " ", 4)
		fmt.Sscan(f[0], &a.Time)
		a.Action, a.Target, a.Outcome = f[1], f[2], f[3]
		if err := l.Step(t.Context(), func(tx *ledger.Tx) error { return tx.Audit(a) }); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"8 resolve b done", "7 reload - failed", "6 backup - done", "5 backup - asked", "3 mute a refused: muted", "1 mute a done"}
	for _, limit := range []int{1, 2, 3, 100} {
		var got []string
		for before := int64(0); ; {
			page, err := l.Audits(t.Context(), before, limit)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range page {
				got = append(got, fmt.Sprint(a.Number, " ", a.Action, " ", a.Target, " ", a.Outcome))
				before = a.Number
			}
			if len(page) < limit {
				break
			}
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("in pages of %d:\n%s\nwant\n%s", limit, g, w)
		}
	}
}
