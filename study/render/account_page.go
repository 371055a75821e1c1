package render

import (
	"slices"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/study"
)

// pageAccounts adds tables with the counts of rows, groups and drives, with a column for each
// direction.
func pageAccounts(s *page.Section, r *Result) {
	if r.Input.Records > 0 {
		addCounts(s, "How the records were used", []string{"records"}, foldedRows(&r.Input))
	}
	var directions []string
	var rows, others [][]line
	for i := range r.Accounts {
		a := &r.Accounts[i]
		directions = append(directions, directionOf(a))
		rows = append(rows, accountRows(a, &r.Input))
		others = append(others, groupsOut(a))
	}
	addCounts(s, "How the "+r.Input.row()+"s were used", directions, rows...)
	addCounts(s, "Groups and drives", directions, others...)
	addCounts(s, "Rows with errors", []string{"rows"}, wrong(&r.Input))
	for _, text := range r.Input.First {
		s.Add(page.Text(text))
	}
}

func directionOf(a *study.DirectionAccount) string {
	if a.Direction == "all" {
		return "all I/O"
	}
	return a.Direction
}

// foldedRows returns the lines of folded after a line with the total.
func foldedRows(i *Input) []line {
	return slices.Concat([]line{{n: i.Records, text: "read"}}, folded(i))
}

// accountRows returns the lines of leftOut after lines with the total and with the counted rows.
func accountRows(a *study.DirectionAccount, i *Input) []line {
	first := "read"
	if i.Records > 0 {
		first = "made from records"
	}
	lines := []line{{n: a.Rows, text: first}, {n: a.Counted, text: "counted"}}
	return append(lines, leftOut(a)...)
}

// addCounts adds a table with the lines that are not 0 in at least one column, if there are any.
func addCounts(s *page.Section, caption string, columns []string, counts ...[]line) {
	t := page.Table{Caption: caption, Columns: []page.Column{{Name: "counted"}}, Cards: true}
	for _, name := range columns {
		t.Columns = append(t.Columns, page.Column{Name: name, Numeric: true})
	}
	if len(counts) == 0 {
		return
	}
	for i, l := range counts[0] {
		row, sum := page.Cells(l.text), int64(0)
		for _, column := range counts {
			row = append(row, page.Cell{Text: english.Thousands(column[i].n)})
			sum += column[i].n
		}
		if sum != 0 {
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) > 0 {
		s.Add(t)
	}
}
