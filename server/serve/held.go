package serve

import (
	"context"
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/report/sentence"
)

// mostHeld is the largest number of incidents that the sentence of heldBack names.
const mostHeld = 5

// heldBack returns a sentence about the open incidents of which no receiver was notified, because
// their data are from before the first start of the server. The sentence is empty if there are no
// such incidents, or no receivers.
func (s *Service) heldBack(ctx context.Context) string {
	now := s.watch.Result()
	if now.QuietBefore == 0 || len(s.receivers()) == 0 {
		return ""
	}
	ids, err := alert.ListHeldBack(ctx, s.watch.Ledger(), now.To < now.QuietBefore)
	if err != nil || len(ids) == 0 {
		return ""
	}
	names := strings.Join(ids[:min(len(ids), mostHeld)], ", ")
	if more := len(ids) - mostHeld; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	first := (&sentence.Writer{}).Time(now.QuietBefore)
	return fmt.Sprintf("no notification was sent about %s (%s): limpet sends none about data from before its first start with this saved state, %s. If an incident still lasts in newer data, limpet notifies the receivers then",
		english.Count(len(ids), "incident"), names, first)
}
