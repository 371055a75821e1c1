package testbench

import (
	"fmt"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// Conditions are difficulties besides the fault that F10's test bench did not have. The zero value
// means F10's conditions.
type Conditions struct {
	BBR        bool    // sockets use BBR, whose windows do not shrink on loss
	Management bool    // sockets that are idle or connect servers, with an initial window of 10
	Volume     Volume  // placement of data by GlusterFS; empty: Sharded
	HotShare   float64 // share of GlusterFS's blocks that belong to one hot file
}

// A Volume states how GlusterFS spreads files over servers.
type Volume string

// The volumes.
const (
	Sharded   Volume = "sharded"   // pieces of 4 MiB, each on the server that its name hashes to
	Dispersed Volume = "dispersed" // every block in fragments on all servers, two of them redundant, read in turn
	Hashed    Volume = "hashed"    // the same, but a file is always read from the servers that its name hashes to
)

// Volumes returns all volumes.
func Volumes() []Volume { return []Volume{Sharded, Dispersed, Hashed} }

// mostHot is the largest share of blocks of a hot file: with a larger share, the other files have
// too few blocks to show a fault.
const mostHot = 0.5

func (e *Experiment) validConditions(errs *bounds.Errors) {
	c := &e.Conditions
	gluster := e.Cluster.FileSystem == Gluster
	errs.Need(gluster || c.Volume == "", "volume %q does not exist on %s: only %s has volumes", c.Volume, e.Cluster.FileSystem, Gluster)
	errs.Need(gluster || c.HotShare == 0, "a hot file is not possible on %s: only %s can have a hot file", e.Cluster.FileSystem, Gluster)
	errs.Need(c.Volume == "" || c.Volume == Sharded || c.Volume == Dispersed || c.Volume == Hashed, "volume %q is unknown: use one of %s", c.Volume, list(Volumes()))
	errs.Need(c.HotShare >= 0 && c.HotShare <= mostHot, "the hot file cannot get a share of %g of the requests: choose 0 to %g", c.HotShare, mostHot)
	errs.Need(!gluster || e.Cluster.Servers > redundant || c.Volume == Sharded, "%d servers of %s are too few: a dispersed volume needs %d or more servers", e.Cluster.Servers, Gluster, redundant+1)
}

// DrawConditions draws the conditions and the strength of the fault from the seed. A fault of
// packet loss loses 1 to 4 % of packets, instead of F10's 5 %.
func (e *Experiment) DrawConditions() {
	rng := source(e.Seed, "conditions", 0)
	c := Conditions{BBR: rng.IntN(2) == 0, Management: true}
	if e.Cluster.FileSystem == Gluster {
		c.Volume = Volumes()[rng.IntN(len(Volumes()))]
		if rng.IntN(3) == 0 {
			c.HotShare = 0.1 + 0.2*rng.Float64()
		}
	}
	e.Conditions = c
	switch e.Fault {
	case ReceiveLoss, SendLoss:
		e.Strength *= 0.2 + 0.6*rng.Float64()
	default:
		e.Strength *= 0.5 + 1.5*rng.Float64()
	}
}

func (c Conditions) String() string {
	if c == (Conditions{}) {
		return "as in the paper F10"
	}
	text := c.control().String()
	if c.Management {
		text += ", idle management sockets"
	}
	if c.Volume != "" {
		text += ", " + string(c.Volume)
	}
	if c.HotShare > 0 {
		text += fmt.Sprintf(", %.0f %% of the blocks in one file", 100*c.HotShare)
	}
	return text
}

// control returns the congestion control of the sockets. Windows that are halved by a loss and grow
// by one segment per round trip are called Reno.
func (c *Conditions) control() tcpstat.Control {
	if c.BBR {
		return tcpstat.ControlOf("bbr")
	}
	return tcpstat.ControlOf("reno")
}
