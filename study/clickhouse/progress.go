package clickhouse

import (
	"sync/atomic"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/limpet-storage/limpet/study/source"
)

// Progress counts the work of the servers; any goroutine may read it. The zero value is
// ready for Open.
type Progress struct {
	phase       atomic.Int32
	passes      atomic.Int64 // number of passes over each record
	done, total atomic.Int64 // records of all passes
	read        atomic.Int64 // rows that the servers have read
}

// State returns the phase, the records read in it, and the done and total work in records of
// all passes. During the survey of names, total grows with the reports of the servers.
func (p *Progress) State() (phase source.Phase, records, done, total int64) {
	done = p.done.Load()
	return source.Phase(p.phase.Load()), done / max(p.passes.Load(), 1), done, p.total.Load()
}

// Read returns the number of rows that servers read during the reduction. If the table has no
// index on time, servers read a record for several queries, and it counts each time.
func (p *Progress) Read() int64 { return p.read.Load() }

func (p *Progress) begin(phase source.Phase, passes, total int64) {
	p.phase.Store(int32(phase))
	p.passes.Store(passes)
	p.done.Store(0)
	p.total.Store(total)
	p.read.Store(0)
}

// survey adds records that were read, and records that will be read.
func (p *Progress) survey(told *driver.Progress) {
	p.total.Add(int64(told.TotalRows))
	p.done.Add(int64(told.Rows))
}

// A meter measures the progress of a query over a known number of records. Without an index on
// time, a server reads more rows than these records. So the progress is records * read / all.
type meter struct {
	*Progress
	records   int64
	told      int64  // records that are already added to Progress
	read, all uint64 // rows that the server has read, and rows that it will read in total
}

func (m *meter) hear(told *driver.Progress) {
	m.read += told.Rows
	m.Progress.read.Add(int64(told.Rows))
	m.all += told.TotalRows
	if m.all > 0 {
		m.tell(int64(float64(m.records) * min(1, float64(m.read)/float64(m.all))))
	}
}

// end adds the rest of the records when the query is complete.
func (m *meter) end() { m.tell(m.records) }

func (m *meter) tell(records int64) {
	if records > m.told {
		m.done.Add(records - m.told)
		m.told = records
	}
}
