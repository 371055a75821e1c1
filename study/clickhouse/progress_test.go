package clickhouse

import (
	"testing"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/limpet-storage/limpet/study/source"
)

// TestProgress takes what servers tell: a query reads more than its records, in
// steps, and announces that late.
func TestProgress(t *testing.T) {
	var p Progress
	p.survey(&driver.Progress{Rows: 10, TotalRows: 40})
	p.survey(&driver.Progress{Rows: 20})
	wantState(t, &p, source.Surveying, 30, 30, 40)

	p.begin(source.Reading, 2, 200)
	m := &meter{Progress: &p, records: 100}
	m.hear(&driver.Progress{Rows: 5})
	wantState(t, &p, source.Reading, 0, 0, 200)
	m.hear(&driver.Progress{Rows: 95, TotalRows: 400})
	wantState(t, &p, source.Reading, 12, 25, 200)
	m.hear(&driver.Progress{TotalRows: 400})
	wantState(t, &p, source.Reading, 12, 25, 200)
	m.hear(&driver.Progress{Rows: 900})
	wantState(t, &p, source.Reading, 50, 100, 200)
	m.end()
	(&meter{Progress: &p, records: 100}).end()
	wantState(t, &p, source.Reading, 100, 200, 200)
}

func wantState(t *testing.T, p *Progress, phase source.Phase, records, done, total int64) {
	t.Helper()
	a, b, c, d := p.State()
	if a != phase || b != records || c != done || d != total {
		t.Errorf("%v, %d records, %d of %d; want %v, %d records, %d of %d", a, b, c, d, phase, records, done, total)
	}
}
