package roster

import (
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/ingest/tabular/clock"
	"github.com/limpet-storage/limpet/ingest/tabular/column"
	"github.com/limpet-storage/limpet/ingest/tabular/describe"
)

// maxRows is more than T16 has drives, twice over: a table with more is of
// records.
const maxRows = 1 << 20

// A smallTable is one with a row for a drive or an event, which is read as
// texts and held in memory.
type smallTable struct {
	drive describe.Template // of columns
	texts []string          // columns
	time  string            // column; empty: none
	timed bool              // a row without a time is left out
	watch *clock.Clock
	rows  int
}

// read hands every row on: the drive's name, the time or clock.NoTime, and
// the texts, empty where there is none.
func (t *smallTable) read(path string, file *tabular.File, faults *column.Faults, row func(drive string, ns int64, texts []string)) error {
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

func (t *smallTable) wants() []column.Want {
	var wants []column.Want
	for i, name := range slices.Concat(t.drive.Fields(), t.texts) {
		wants = append(wants, column.Want{
			Column: name, As: column.Text, Words: &column.Lexicon{},
			Required: i < len(t.drive.Fields()),
		})
	}
	if t.time != "" {
		wants = append(wants, column.Want{Column: t.time, As: column.Time, Required: t.timed})
	}
	return wants
}

func (t *smallTable) readPart(r tabular.Reader, wants []column.Want, row func(string, int64, []string)) error {
	var b column.Block
	for {
		switch err := r.Next(&b); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if t.rows += b.Rows; t.rows > maxRows {
			return fmt.Errorf("more than %d rows, though it has one for a drive or an event; name another file", maxRows)
		}
		for i := range b.Rows {
			t.hand(&b, i, wants, row)
		}
	}
}

func (t *smallTable) hand(b *column.Block, i int, wants []column.Want, row func(string, int64, []string)) {
	fields := t.drive.Fields()
	texts, ns := make([]string, 0, len(wants)), int64(clock.NoTime)
	for k, w := range wants {
		c := &b.Columns[k]
		switch {
		case w.As == column.Time:
			ns = c.Times[i]
		case c.Codes[i] == column.NoText:
			texts = append(texts, "")
		default:
			texts = append(texts, w.Words.Texts()[c.Codes[i]])
		}
	}
	drive := t.drive.Fill(func(field string) string { return texts[slices.Index(fields, field)] })
	row(drive, ns, texts[len(fields):])
}
