package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

var (
	plainScalar  = lazyregexp.New(`^[A-Za-z0-9_./][A-Za-z0-9_./@+ -]*$`)
	plainPattern = lazyregexp.New(`^[A-Za-z0-9_./][A-Za-z0-9_./@+\[\], -]*$`)
)

// scalar quotes a text if YAML would not read it as this text.
func scalar(text string) string {
	if plainScalar.MatchString(text) && strings.TrimSpace(text) == text && !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off"}, strings.ToLower(text)) {
		return text
	}
	return fmt.Sprintf("%q", text)
}

// safe returns a name that is valid in a pattern: without brackets, commas and spaces.
func safe(name string) string { return site.Plain(name) }

// wide is the largest length of a pattern; longer patterns are written as several lines.
const wide = 90

// pattern writes names as a pattern of ranges, or as a list below its key if the pattern is
// too long. The list is indented by 2*depth spaces.
func pattern(names []string, depth int) string {
	folded := topology.Fold(names)
	if again, err := topology.Expand(folded); err == nil && slices.Equal(again, names) && len(folded) <= wide {
		return quoted(folded)
	}
	var b strings.Builder
	for _, name := range names {
		b.WriteString("\n" + strings.Repeat("  ", depth) + "- " + quoted(name))
	}
	return b.String()
}

// quoted quotes a pattern if YAML would not read it as this text.
func quoted(text string) string {
	if plainPattern.MatchString(text) && !strings.Contains(text, " #") {
		return text
	}
	return fmt.Sprintf("%q", text)
}

// partition writes a table "label: members" below a key, or only the label if all members have
// the same one. It returns "" if no member has a label.
func partition(key string, labels, members []string, depth int) string {
	distinct := slices.Compact(slices.Sorted(slices.Values(labels)))
	indent := strings.Repeat("  ", depth)
	switch {
	case len(distinct) == 0 || len(distinct) == 1 && distinct[0] == "":
		return ""
	case len(distinct) == 1:
		return indent + key + ": " + scalar(distinct[0]) + "\n"
	}
	slices.SortFunc(distinct, topology.Compare)
	var b strings.Builder
	b.WriteString(indent + key + ":\n")
	for _, label := range distinct {
		var some []string
		for i, l := range labels {
			if l == label {
				some = append(some, members[i])
			}
		}
		name := label
		if name == "" {
			name = "unknown"
		}
		b.WriteString(indent + "  " + scalar(name) + ": " + pattern(some, depth+2) + "\n")
	}
	return b.String()
}

// size writes a number of bytes in the units of vendors: 16TB, 7.68TB, 480GB; empty below 1 MB.
func size(bytes uint64) string {
	if bytes < 1_000_000 {
		return ""
	}
	value, unit := float64(bytes)/1e6, 0
	for ; value >= 999.5 && unit < 3; unit++ {
		value /= 1000
	}
	text := fmt.Sprintf("%.3g", value)
	if strings.Contains(text, "e") {
		text = fmt.Sprintf("%.0f", value)
	}
	return text + []string{"MB", "GB", "TB", "PB"}[unit]
}
