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
	passes      atomic.Int64 // over each record
	done, total atomic.Int64 // records of all passes
	read        atomic.Int64 // rows, as servers count them
}

// State is the phase, the records that it has seen, and how much of all it has
// done. While names are surveyed, all is what servers have told so far.
func (p *Progress) State() (phase source.Phase, records, done, total int64) {
	done = p.done.Load()
	return source.Phase(p.phase.Load()), done / max(p.passes.Load(), 1), done, p.total.Load()
}

// Read is how many rows servers read while records were reduced. An index that does not
// know time has them read a record for every query of another time, too.
func (p *Progress) Read() int64 { return p.read.Load() }

func (p *Progress) begin(phase source.Phase, passes, total int64) {
	p.phase.Store(int32(phase))
	p.passes.Store(passes)
	p.done.Store(0)
	p.total.Store(total)
	p.read.Store(0)
}

// survey adds records that were read, and records that are to come.
func (p *Progress) survey(told *driver.Progress) {
	p.total.Add(int64(told.TotalRows))
	p.done.Add(int64(told.Rows))
}

// A meter is a query over so many records. A server reads more where an index
// cannot tell what is of the hours asked for, so that only its share counts.
type meter struct {
	*Progress
	records   int64
	told      int64  // of them
	read, all uint64 // as the server counts
}

func (m *meter) hear(told *driver.Progress) {
	m.read += told.Rows
	m.Progress.read.Add(int64(told.Rows))
	m.all += told.TotalRows
	if m.all > 0 {
		m.tell(int64(float64(m.records) * min(1, float64(m.read)/float64(m.all))))
	}
}

// end says that the answer is complete.
func (m *meter) end() { m.tell(m.records) }

func (m *meter) tell(records int64) {
	if records > m.told {
		m.done.Add(records - m.told)
		m.told = records
	}
}
