package testbed

import "slices"

// Workload is what the clients do.
type Workload string

// The workloads: dd, one like IOzone and PostMark are F10's (§8), fio mixes
// reads and writes.
const (
	DDR      Workload = "ddr"
	DDW      Workload = "ddw"
	IOzoneR  Workload = "iozoner"
	IOzoneW  Workload = "iozonew"
	PostMark Workload = "postmark"
	Fio      Workload = "fio"
)

// Workloads are all of them.
func Workloads() []Workload { return []Workload{DDR, DDW, IOzoneR, IOzoneW, PostMark, Fio} }

// Reads says whether the workload has disks read. What PostMark reads it has
// just written, and comes from memory.
func (w Workload) Reads() bool { return slices.Contains([]Workload{DDR, IOzoneR, Fio, "mix"}, w) }

// Writes says whether the workload has disks write.
func (w Workload) Writes() bool {
	return slices.Contains([]Workload{DDW, IOzoneW, PostMark, Fio, "mix"}, w)
}
