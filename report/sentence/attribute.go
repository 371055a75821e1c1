package sentence

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
)

// across prints the versions and servers that an attribute does not and does affect: ", not
// 1.02, on 40 of 80 servers". It is empty for a place that is no attribute.
func (w *Writer) across(in *incident.Incident) string {
	if !in.Place.Tier.Across() {
		return ""
	}
	text := ""
	if others := blame.OtherVersions(w.System, in.Place); len(others) > 0 {
		text = ", not " + fold(others) + ","
	}
	slow, all := w.serversOf(playing(in, finding.IsSlow)), w.serversOf(blame.With(w.System, in.Place))
	switch {
	case len(all) < 2:
	case len(slow) == len(all):
		text += fmt.Sprintf(" on all of %d servers", len(all))
	default:
		text += fmt.Sprintf(" on %d of %d servers", len(slow), len(all))
	}
	return text
}

// alike names the other places that the members of an incident share.
func (w *Writer) alike(in *incident.Incident) string {
	var list []string
	for _, p := range in.Alike {
		list = append(list, named(p))
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("the same %ss share %s as well: these data do not tell which of them it is", w.unit(in), strings.Join(list, ", "))
}
