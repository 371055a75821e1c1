package topology

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
)

// Check returns warnings about weak peer groups: groups with too few members, and groups that hide
// a difference of model or size.
func (s *System) Check() []Warning {
	var small, models, sizes []finding
	for _, g := range s.Groups {
		if len(g.Members) < MinPeers {
			small = append(small, finding{g, fmt.Sprintf("has %s, and a comparison needs at least %d; limpet compares each member only with its own past", plural(len(g.Members), "member"), MinPeers)})
		}
		if mix := s.mix(g, func(c *Component) string { return c.Model }); mix != "" {
			models = append(models, finding{g, "contains drives of different models: " + mix})
		}
		if mixedSizes := s.mix(g, func(c *Component) string { return sizeText(c.SizeBytes) }); mixedSizes != "" {
			sizes = append(sizes, finding{g, "contains drives of different sizes: " + mixedSizes})
		}
	}
	cure := ": to compare members with each other, add members to the set, or choose other peers"
	if s.File == "" {
		cure = ": to compare members with each other, add files of servers with more of these devices, or a topology file that names the peers"
	}
	warnings := s.warn(small, "have too few members; limpet compares each member only with its own past", cure)
	warnings = append(warnings, s.warn(models, "contain drives of different models", "; put each model into a set of its own (setting \"sets\"), or write \"peers: model\"")...)
	return append(warnings, s.warn(sizes, "contain drives of different sizes", "; put each size into a set of its own (setting \"sets\")")...)
}

// Comparable returns the number of peer groups whose members limpet can compare with each other.
func (s *System) Comparable() (n int) {
	for _, g := range s.Groups {
		if len(g.Members) >= MinPeers {
			n++
		}
	}
	return n
}

// A finding is a text about one group.
type finding struct {
	group PeerGroup
	text  string
}

// warn returns warnings for the first few findings of a kind, and counts the others: a hundred
// servers of two drives need only one correction.
func (s *System) warn(findings []finding, like, cure string) []Warning {
	const few = 3
	var warnings []Warning
	for i, f := range findings {
		w := Warning{File: s.File, Line: s.Components[f.group.Members[0]].Line}
		w.Text = fmt.Sprintf("peer group %d (%s) %s%s", f.group.ID, f.group.Name, f.text, cure)
		if rest := len(findings) - i; i == few && rest > 1 {
			w.Text = fmt.Sprintf("%d more peer groups %s%s", rest, like, cure)
			return append(warnings, w)
		}
		warnings = append(warnings, w)
	}
	return warnings
}

// mix lists the different traits of a group's members, with counts, the most frequent first. It
// returns "" if all members have the same trait. An unknown trait is no difference.
func (s *System) mix(g PeerGroup, trait func(*Component) string) string {
	counts := make(map[string]int)
	for _, m := range g.Members {
		if t := trait(&s.Components[m]); t != "" {
			counts[t]++
		}
	}
	if len(counts) < 2 {
		return ""
	}
	return tally(counts)
}

// tally prints counts as "ST16000 (48), ST18000 (24)".
func tally(counts map[string]int) string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%s)", name, english.Thousands(counts[name]))
	}
	return strings.Join(names, ", ")
}

// sizeText prints a size as drives are sold, in three digits. Sizes with the same text count as
// equal.
func sizeText(bytes uint64) string {
	if bytes == 0 {
		return ""
	}
	size, unit := float64(bytes), 0
	for ; size >= 999.5 && unit < 5; unit++ {
		size /= 1000
	}
	return fmt.Sprintf("%.3g %s", size, []string{"B", "kB", "MB", "GB", "TB", "PB"}[unit])
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return english.Thousands(n) + " " + noun + "s"
}
