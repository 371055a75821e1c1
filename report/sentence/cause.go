package sentence

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
)

// across says how wide an attribute shows, and what is not meant: ", not 1.02, on 40
// of 80 servers". It is empty for what is no attribute.
func (v *Writer) across(in *incident.Incident) string {
	if !in.Place.Tier.Across() {
		return ""
	}
	text := ""
	if others := blame.OtherVersions(v.System, in.Place); len(others) > 0 {
		text = ", not " + fold(others) + ","
	}
	slow, all := v.serversOf(playing(in, finding.IsSlow)), v.serversOf(blame.With(v.System, in.Place))
	switch {
	case len(all) < 2:
	case len(slow) == len(all):
		text += fmt.Sprintf(" on all of %d servers", len(all))
	default:
		text += fmt.Sprintf(" on %d of %d servers", len(slow), len(all))
	}
	return text
}

// alike says what else the members of an incident share.
func (v *Writer) alike(in *incident.Incident) string {
	var list []string
	for _, p := range in.Alike {
		list = append(list, named(p))
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("the same %ss share %s as well: these data do not tell which of them it is", v.unit(in), strings.Join(list, ", "))
}
