package testbed

import (
	"fmt"
	"slices"
	"strings"
)

// System is the storage system of a run.
type System string

// The systems.
const (
	GlusterFS System = "gluster"
	Ceph      System = "ceph"
)

// Systems returns all systems.
func Systems() []System { return []System{GlusterFS, Ceph} }

// ParseSystem returns the system called name.
func ParseSystem(name string) (System, error) {
	if !slices.Contains(Systems(), System(name)) {
		return "", fmt.Errorf("the storage system %q is unknown: write %s", name, strings.Join(names(Systems()), " or "))
	}
	return System(name), nil
}

// block returns the number of runs of each fault in a block.
func (s System) block() []times {
	if s == Ceph {
		return cephBlock
	}
	return glusterBlock
}

// Faults returns the faults that are drawn for the system, without None.
func (s System) Faults() []Fault {
	var all []Fault
	for _, b := range s.block() {
		if b.fault != None {
			all = append(all, b.fault)
		}
	}
	return all
}

// Workloads returns the workloads of the system.
func (s System) Workloads() []Workload {
	if s == Ceph {
		return []Workload{RadosWrite, RadosSeq, RadosRand, RadosMix, RBD}
	}
	return []Workload{DDR, DDW, IOzoneR, IOzoneW, PostMark, Fio}
}
