package record

import (
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A Sampler is what is sampled.
type Sampler interface {
	// Sample fills s, reusing what it holds. The Custom items are those of
	// the activities that Options.File names.
	Sample(s *sysstat.Sample) error
	// Uptime is in 1/100 s.
	Uptime() (uint64, error)
	// Inventory is comments that say what stands behind the numbers of
	// devices, in a stable order, as far as is known. It is asked for after
	// every sample and must return soon.
	Inventory() []string
}

// A Listener hears each sample, whether it could be written or not. It is
// called between two deadlines: it must return soon, and must copy what it
// keeps.
type Listener interface {
	Hear(t time.Time, uptime uint64, s *sysstat.Sample)
}
