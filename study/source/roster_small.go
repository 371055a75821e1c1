// This file reads small tables: the inventory of a fleet's drives and the log of their events.
// Both are much smaller than the records, and are kept in memory.

package source

import (
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/ingest/tabular"
)

// maxRows is the largest number of rows of a small table: more than twice the number of drives
// in T16. A table with more rows must be a table of records.
const maxRows = 1 << 20

// A smallTable is a table with a row for each drive or event. Its rows are read as texts.
type smallTable struct {
	drive tabular.Template // name of the drive, from columns
	texts []string         // columns of texts
	time  string           // column of the time; empty: none
	timed bool             // a row without a time is left out
	watch *tabular.Clock
	rows  int
}

// read calls row for every row, with the drive's name, the time or tabular.NoTime, and the
// texts; empty: missing.
func (t *smallTable) read(path string, file *tabular.File, faults *tabular.Faults, row func(drive string, ns int64, texts []string)) error {
	wants := t.wants()
	for part := range file.Parts() {
		faults.Part = part
		r, err := file.Read(part, wants, t.watch, faults)
		if err != nil {
			return err
		}
		err = t.readPart(r, wants, row)
		r.Close()
		if err != nil && t.rows > maxRows {
			err = fmt.Errorf("%s: %w", path, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *smallTable) wants() []tabular.Want {
	var wants []tabular.Want
	for i, name := range slices.Concat(t.drive.Fields(), t.texts) {
		wants = append(wants, tabular.Want{
			Column: name, Type: tabular.Text, Words: &tabular.Lexicon{},
			Required: i < len(t.drive.Fields()),
		})
	}
	if t.time != "" {
		wants = append(wants, tabular.Want{Column: t.time, Type: tabular.Time, Required: t.timed})
	}
	return wants
}

func (t *smallTable) readPart(r tabular.Reader, wants []tabular.Want, row func(string, int64, []string)) error {
	var b tabular.Block
	for {
		switch err := r.Next(&b); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if t.rows += b.Rows; t.rows > maxRows {
			return fmt.Errorf("the file has more than %d rows, but only one row for each drive or event is needed; name another file", maxRows)
		}
		for i := range b.Rows {
			t.hand(&b, i, wants, row)
		}
	}
}

func (t *smallTable) hand(b *tabular.Block, i int, wants []tabular.Want, row func(string, int64, []string)) {
	fields := t.drive.Fields()
	texts, ns := make([]string, 0, len(wants)), int64(tabular.NoTime)
	for k, w := range wants {
		c := &b.Columns[k]
		switch {
		case w.Type == tabular.Time:
			ns = c.Times[i]
		case c.Codes[i] == tabular.NoText:
			texts = append(texts, "")
		default:
			texts = append(texts, w.Words.Texts()[c.Codes[i]])
		}
	}
	drive := t.drive.Fill(func(field string) string { return texts[slices.Index(fields, field)] })
	row(drive, ns, texts[len(fields):])
}
