package record

import (
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A Sampler reads the counters of a machine.
type Sampler interface {
	// Sample fills s, and reuses the memory that s holds. The Custom items belong to the activities
	// in Options.File, in their order.
	Sample(s *sysstat.Sample) error
	// Late is called ahead of Sample. It gets the time since the deadline of the sample.
	Late(by time.Duration)
	// Uptime returns the uptime in 1/100 s.
	Uptime() (uint64, error)
	// Inventory returns comments that describe the devices behind the numbers, in a
	// stable order, as far as they are known. The recorder calls it after every
	// sample, and it must return soon.
	Inventory() []string
}

// A Listener gets each sample, whether it could be written or not. The recorder calls it
// between two deadlines: it must return soon, and must copy the parts that it keeps.
type Listener interface {
	Hear(t time.Time, uptime uint64, s *sysstat.Sample)
}
