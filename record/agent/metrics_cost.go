package agent

import (
	"math"
	"time"
)

// A Cost holds the resources that a recorder has used since its start.
type Cost struct {
	Processor time.Duration // processor time of its process
	Resident  uint64        // resident memory in bytes; 0: unknown
	// Programs is the processor time of its BPF programs. The kernel charges it to the processes
	// that make requests.
	Programs time.Duration
}

// costFamilies are the metrics of the cost, with the usual names of exporters if there is one.
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
