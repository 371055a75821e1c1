package topology

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/limpet-storage/limpet/internal/english"
)

// Show prints a system for people: its tiers with counts, then its peer
// groups.
func Show(w io.Writer, s *System) error {
	fmt.Fprintln(w, s.Name)
	fmt.Fprintln(w)
	if err := showTiers(w, s); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return showGroups(w, s)
}

func showTiers(w io.Writer, s *System) error {
	rows := []row{
		tierRow("servers", s.Servers), tierRow("arrays", s.Arrays),
		tierRow("controllers", s.Controllers), tierRow("LUNs", s.LUNs),
	}
	members := make([][]string, tierHost+1)
	for i := range s.Components {
		c := &s.Components[i]
		members[c.tier()] = append(members[c.tier()], c.Name)
	}
	for t, names := range members {
		rows = append(rows, tierRow(tier(t).String(), names))
	}
	return writeRows(w, "tier", "count", rows)
}

// tier returns the tier in which the component is shown and grouped.
func (c *Component) tier() tier {
	switch {
	case c.Kind == Host:
		return tierHost
	case c.Kind == Interface:
		return tierInterface
	case c.LUN == "":
		return tierDrive
	}
	return tierLUN
}

func showGroups(w io.Writer, s *System) error {
	rows := make([]row, len(s.Groups))
	for i, g := range s.Groups {
		first, last := g.Members[0], g.Members[len(g.Members)-1]
		rows[i] = row{
			name:  fmt.Sprintf("%d\t%s", g.ID, g.Name),
			count: len(g.Members), first: s.Components[first].Name, last: s.Components[last].Name,
		}
	}
	return writeRows(w, "group\tname", "members", rows)
}

// A row is a row of one of the two tables.
type row struct {
	name        string
	count       int
	first, last string
}

func tierRow(name string, members []string) row {
	r := row{name: name, count: len(members)}
	if r.count > 0 {
		r.first, r.last = members[0], members[r.count-1]
	}
	return r
}

// writeRows prints the rows as a table with right-aligned counts, and leaves out rows with count 0.
func writeRows(w io.Writer, name, count string, rows []row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	width := len(count)
	for _, r := range rows {
		width = max(width, len(english.Thousands(r.count)))
	}
	fmt.Fprintf(table, "%s\t%*s\tfirst\tlast\n", name, width, count)
	for _, r := range rows {
		if r.count > 0 {
			fmt.Fprintf(table, "%s\t%*s\t%s\t%s\n", r.name, width, english.Thousands(r.count), r.first, r.last)
		}
	}
	return table.Flush()
}
