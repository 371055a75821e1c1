package agent

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// The times between two queries of the devices, in 1/100 s:
//   - askSoonest at least, if a device has appeared or disappeared;
//   - askEvery otherwise, because addresses and the like change without an event.
const (
	askSoonest = 5 * 100
	askEvery   = 60 * 100
)

// errSilent is the error for a query that takes at least askSoonest.
var errSilent = errors.New("a device does not answer: the recorder uses the name of the device from the last sample")

// An inventory holds the latest comments on devices. Devices are queried beside the sampling,
// because a device that hangs may never answer. One query runs at a time.
type inventory struct {
	ask      func() ([]string, error)
	patience time.Duration
	answers  chan answer

	ever, asking bool
	asked        uint64 // uptime of the last query
	changes      int    // number of changes of devices before the last query
	lines        []string
	err          error                             // error of the last query, or errSilent
	devices      atomic.Pointer[sysstat.Inventory] // devices in lines
}

type answer struct {
	lines []string
	err   error
}

func newInventory(ask func() ([]string, error), patience time.Duration) *inventory {
	i := &inventory{ask: ask, patience: patience, answers: make(chan answer, 1)}
	i.devices.Store(&sysstat.Inventory{})
	return i
}

// look returns the comments at an uptime. The argument changes counts how often devices have
// appeared or disappeared. If a query is due, look waits for its answer for at most patience. A
// later answer is returned by a later call.
func (i *inventory) look(uptime uint64, changes int) ([]string, error) {
	if i.asking {
		select {
		case a := <-i.answers:
			i.learn(a)
		default:
		}
	}
	if !i.asking && i.due(uptime, changes) {
		i.ever, i.asked, i.changes = true, uptime, changes
		i.question()
	}
	if i.asking && uptime-i.asked >= askSoonest {
		i.err = errSilent
	}
	return i.lines, i.err
}

func (i *inventory) due(uptime uint64, changes int) bool {
	since := uptime - i.asked
	return !i.ever || since >= askEvery || since >= askSoonest && changes != i.changes
}

// question starts a query, and waits for its answer for at most patience.
func (i *inventory) question() {
	i.asking = true
	go func() {
		lines, err := i.ask()
		i.answers <- answer{lines, err}
	}()
	select {
	case a := <-i.answers:
		i.learn(a)
	case <-time.After(i.patience):
	}
}

// learn stores an answer. If the answer is an error, the previous comments remain.
func (i *inventory) learn(a answer) {
	i.asking, i.err = false, a.err
	if a.err != nil {
		return
	}
	i.lines = a.lines
	devices := &sysstat.Inventory{}
	for _, line := range a.lines {
		devices.Add(line)
	}
	i.devices.Store(devices)
}

// name returns the kernel's name of a device; empty: unknown. It is safe for concurrent use.
func (i *inventory) name(major, minor uint32) string {
	d, _ := i.devices.Load().Device(major, minor)
	return d.Name
}
