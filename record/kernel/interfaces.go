package kernel

import (
	"bytes"
	"errors"
	"path/filepath"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// /proc/net/dev has two lines of headings, then one for each interface:
//
//	Inter-|   Receive                                                |  Transmit
//	 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
//	  eth0: 627947667   40245    0    0    0     0          0         0  4059914   42192    0    0    0     0       0          0
//
// All are taken, as sadc takes them.

// interfaces is the table of network interfaces.
type interfaces struct {
	file    file
	sys     string // /sys/class/net
	choice  patterns
	known   map[string]*nic // by name
	round   uint64          // of sampling
	changes int
}

// A nic is what stays the same from sample to sample.
type nic struct {
	name  string
	taken bool
	link  link
	round uint64 // in which it was last seen
}

func newInterfaces(o Options) interfaces {
	return interfaces{
		sys:    filepath.Join(o.Root, "sys/class/net"),
		choice: o.Interfaces,
		known:  map[string]*nic{},
	}
}

func (t *interfaces) sample(s *sysstat.Sample) error {
	s.Interfaces, s.InterfaceErrors = s.Interfaces[:0], s.InterfaceErrors[:0]
	text, err := t.file.read()
	if err != nil {
		return err
	}
	t.round++
	seen := 0
	for len(text) > 0 {
		var line words
		line, text = cutLine(text)
		name, work, faults, ok := parseInterface(line)
		if !ok {
			continue
		}
		known, again := t.lookup(name)
		if again {
			continue
		}
		seen++
		if known.taken {
			work.Name, faults.Name = known.name, known.name
			work.Duplex, work.SpeedMbit = known.link.state()
			s.Interfaces = append(s.Interfaces, work)
			s.InterfaceErrors = append(s.InterfaceErrors, faults)
		}
	}
	t.forget(seen)
	return nil
}

// lookup is what is known of an interface, and whether this round had it.
func (t *interfaces) lookup(name []byte) (known *nic, again bool) {
	known = t.known[string(name)]
	if known == nil {
		known = &nic{name: string(name), taken: t.choice.match(string(name))}
		if known.taken {
			known.link.open(filepath.Join(t.sys, known.name))
		}
		t.known[known.name] = known
		t.changes++
	}
	again = known.round == t.round
	known.round = t.round
	return known, again
}

// forget drops the interfaces that this round did not see.
func (t *interfaces) forget(seen int) {
	if len(t.known) == seen {
		return
	}
	for name, known := range t.known {
		if known.round != t.round {
			known.link.close()
			delete(t.known, name)
			t.changes++
		}
	}
}

// unmatched are the patterns that no interface has.
func (t *interfaces) unmatched() []string {
	return t.choice.idle(func(one patterns) bool {
		for name := range t.known {
			if one.match(name) {
				return true
			}
		}
		return false
	})
}

func (t *interfaces) close() error {
	errs := []error{t.file.close()}
	for _, known := range t.known {
		errs = append(errs, known.link.close())
	}
	return errors.Join(errs...)
}

// parseInterface takes a line; headings have no colon.
func parseInterface(line words) (name []byte, work sysstat.Interface, faults sysstat.InterfaceErrors, ok bool) {
	name, counters, ok := bytes.Cut(line, []byte{':'})
	name = bytes.TrimSpace(name)
	var v [16]uint64
	if n := (*words)(&counters).numbers(v[:]); !ok || len(name) == 0 || n < len(v) {
		return nil, work, faults, false
	}
	rx, tx := (*[8]uint64)(v[:8]), (*[8]uint64)(v[8:])
	work = sysstat.Interface{
		RxBytes: rx[0], RxPackets: rx[1], RxCompressed: rx[6], Multicast: rx[7],
		TxBytes: tx[0], TxPackets: tx[1], TxCompressed: tx[7],
	}
	faults = sysstat.InterfaceErrors{
		RxErrors: rx[2], RxDropped: rx[3], RxFIFO: rx[4], RxFrame: rx[5],
		TxErrors: tx[2], TxDropped: tx[3], TxFIFO: tx[4], Collisions: tx[5], TxCarrier: tx[6],
	}
	return name, work, faults, true
}
