package testbed

import "slices"

// Workload is the name of the work of the clients.
type Workload string

// The workloads of GlusterFS. F10 §8 has dd, PostMark and a workload like IOzone; fio mixes reads
// and writes.
const (
	DDR      Workload = "ddr"
	DDW      Workload = "ddw"
	IOzoneR  Workload = "iozoner"
	IOzoneW  Workload = "iozonew"
	PostMark Workload = "postmark"
	Fio      Workload = "fio"
	// Paced is fio that reads at a constant rate: all clients together use a part of what the disks
	// can do. Only runs with many clients have it.
	Paced Workload = "paced"
)

// The workloads of Ceph: rados bench that writes objects, reads them in their order or in any order,
// or a client of each, and fio that reads and writes an image of RBD.
const (
	RadosWrite Workload = "rados-write"
	RadosSeq   Workload = "rados-seq"
	RadosRand  Workload = "rados-rand"
	RadosMix   Workload = "rados-mix"
	RBD        Workload = "rbd"
)

// Reads reports whether the workload reads from disks. PostMark reads files that it has just
// written, so its reads come from memory.
func (w Workload) Reads() bool {
	return slices.Contains([]Workload{DDR, IOzoneR, Fio, Paced, RadosSeq, RadosRand, RadosMix, RBD, "mix"}, w)
}

// Writes reports whether the workload writes to disks.
func (w Workload) Writes() bool {
	return slices.Contains([]Workload{DDW, IOzoneW, PostMark, Fio, RadosWrite, RadosMix, RBD, "mix"}, w)
}

// addsData reports whether the workload of Ceph writes new objects all the time.
func (w Workload) addsData() bool { return w == RadosWrite || w == RadosMix }
