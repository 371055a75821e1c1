package testbed

import "slices"

// Workload is the name of the work of the clients.
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

// The workloads of Ceph: rados bench that writes objects, reads them in their order or in any order,
// or a client of each.
const (
	RadosWrite Workload = "rados-write"
	RadosSeq   Workload = "rados-seq"
	RadosRand  Workload = "rados-rand"
	RadosMix   Workload = "rados-mix"
)

// Reads reports whether the workload has disks read. What PostMark reads it has
// just written, and comes from memory.
func (w Workload) Reads() bool {
	return slices.Contains([]Workload{DDR, IOzoneR, Fio, RadosSeq, RadosRand, RadosMix, "mix"}, w)
}

// Writes reports whether the workload has disks write.
func (w Workload) Writes() bool {
	return slices.Contains([]Workload{DDW, IOzoneW, PostMark, Fio, RadosWrite, RadosMix, "mix"}, w)
}
