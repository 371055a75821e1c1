package testbench

import (
	"fmt"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// Conditions are what a cluster has to live with beside its fault, and F10's
// test bench had not. The zero value is F10's.
type Conditions struct {
	BBR        bool    // sockets use BBR, whose windows do not shrink on loss
	Management bool    // sockets that are idle, or keep servers together, at an initial window of 10
	Volume     Volume  // where GlusterFS puts data; Sharded where left out
	HotShare   float64 // of GlusterFS's blocks that are of one popular file
}

// A Volume is how GlusterFS spreads files over servers.
type Volume string

// The volumes.
const (
	Sharded   Volume = "sharded"   // pieces of 4 MiB, each on the server that its name hashes to
	Dispersed Volume = "dispersed" // every block in fragments on all servers, two of them redundant, read in turn
	Hashed    Volume = "hashed"    // the same, but a file is always read from the servers that its name hashes to
)

// Volumes are all of them.
func Volumes() []Volume { return []Volume{Sharded, Dispersed, Hashed} }

// mostHot is the largest share of blocks that a popular file may have: beyond
// it nothing else is left to be seen.
const mostHot = 0.5

func (e *Experiment) validConditions(errs *bounds.Errors) {
	c := &e.Conditions
	gluster := e.Cluster.FileSystem == Gluster
	errs.Need(gluster || c.Volume == "", "volume %q does not exist on %s: only %s has volumes", c.Volume, e.Cluster.FileSystem, Gluster)
	errs.Need(gluster || c.HotShare == 0, "a popular file is not possible on %s: only %s can have a popular file", e.Cluster.FileSystem, Gluster)
	errs.Need(c.Volume == "" || c.Volume == Sharded || c.Volume == Dispersed || c.Volume == Hashed, "volume %q is unknown: use one of %s", c.Volume, list(Volumes()))
	errs.Need(c.HotShare >= 0 && c.HotShare <= mostHot, "the popular file cannot get a share of %g of the requests: choose 0 to %g", c.HotShare, mostHot)
	errs.Need(!gluster || e.Cluster.Servers > redundant || c.Volume == Sharded, "%d servers of %s are too few: a dispersed volume needs %d or more servers", e.Cluster.Servers, Gluster, redundant+1)
}

// Unkind draws conditions by the seed, and how strong the fault is. Losses are
// of one to four packets in a hundred, where F10 lost five.
func (e *Experiment) Unkind() {
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
		text += ", management sockets"
	}
	if c.Volume != "" {
		text += ", " + string(c.Volume)
	}
	if c.HotShare > 0 {
		text += fmt.Sprintf(", %.0f %% of the blocks in one file", 100*c.HotShare)
	}
	return text
}

// control is what windows go by: those that are halved by a loss and grow by
// one a round trip are called after Reno.
func (c *Conditions) control() tcpstat.Control {
	if c.BBR {
		return tcpstat.ControlOf("bbr")
	}
	return tcpstat.ControlOf("reno")
}
