package testbench

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// Kind returns the cause that a diagnosis ought to name.
func (f Fault) Kind() simulate.Kind {
	switch f {
	case DiskHog:
		return simulate.DiskHog
	case DiskBusy:
		return simulate.DiskBusy
	case WriteNetworkHog, ReadNetworkHog:
		return simulate.NetworkHog
	}
	return simulate.PacketLoss
}

// Observable reports whether the workload shows the fault. A fault of packet loss shows only if
// data flow in the direction of the loss (F10 §11).
func (f Fault) Observable(w Workload) bool {
	switch f {
	case ReceiveLoss:
		return w == DDW || w == IOzoneW
	case SendLoss:
		return w == DDR || w == IOzoneR
	}
	return true
}

// text returns a sentence that describes the fault of a server.
func (f Fault) text(server string, strength float64) string {
	text := map[Fault]string{
		DiskHog:         "a process on server %s reads from the disk of this server",
		DiskBusy:        "a process outside of server %s reads from the disk of this server",
		WriteNetworkHog: "another machine sends data to server %s",
		ReadNetworkHog:  "server %s sends data to another machine",
		ReceiveLoss:     "packets to server %s are lost",
		SendLoss:        "packets from server %s are lost",
	}[f]
	text = fmt.Sprintf(text, server)
	if strength != 1 {
		text += fmt.Sprintf(" (%g times as strong as in the paper F10)", strength)
	}
	return text
}

// Truth returns the faults that a diagnosis of the experiment ought to find. Its end is the planned
// end of a run without a fault; a run with a fault takes longer.
func (e *Experiment) Truth() *simulate.Truth {
	begin := e.Start.Add(lead * time.Second)
	t := &simulate.Truth{System: e.Cluster.String(), Seed: e.Seed, From: e.Start, To: begin.Add((duration + tail) * time.Second)}
	if e.Fault == None {
		return t
	}
	for _, s := range e.Faulty {
		name := serverName(s)
		t.Add(simulate.Fault{
			Kind: e.Fault.Kind(), Component: name, From: begin.Add(e.From), To: begin.Add(e.To),
			Text: e.Fault.text(name, e.Strength),
		})
	}
	return t
}
