package agent

import (
	"math"
	"time"
)

// A Cost is what a recorder takes of the machine, since it was started.
type Cost struct {
	Processor time.Duration // of its process
	Resident  uint64        // bytes; 0: not known
	// Programs is the processor time of its programs in the kernel. It is charged
	// to the processes that make requests.
	Programs time.Duration
}

// costFamilies have the names that every exporter has, where there is one.
var costFamilies = []family[Cost]{
	{"process_cpu_seconds_total", counter, "Processor time of the recorder's process.", func(c *Cost) float64 { return c.Processor.Seconds() }},
	{"process_resident_memory_bytes", gauge, "Memory of the recorder's process.", func(c *Cost) float64 {
		if c.Resident == 0 {
			return math.NaN()
		}
		return float64(c.Resident)
	}},
	{"limpet_record_programs_seconds_total", counter, "Processor time of the BPF programs that count requests, estimated from one run in 1024.", func(c *Cost) float64 { return c.Programs.Seconds() }},
}

func (e *Exporter) writeCost(out exposition) {
	if e.Cost != nil {
		writeFamilies(out, costFamilies, []Cost{e.Cost()}, []labelSet{nil})
	}
}
