package agent

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Devices are asked what they are when one has come or gone, but not at every
// turn of one that flaps, and every minute for what changes without a sign,
// such as an address. In 1/100 s.
const (
	askSoonest = 5 * 100
	askEvery   = 60 * 100
)

// errSilent is an inventory that takes long, not only longer than a sample can
// wait.
var errSilent = errors.New("a device does not answer: the recorder uses the name of the device from the last sample")

// An inventory has the latest comments on devices. They are read beside the sampling, since
// a device that hangs may never answer; one read runs at a time.
type inventory struct {
	ask      func() ([]string, error)
	patience time.Duration
	answers  chan answer

	ever, asking bool
	asked        uint64 // when, as uptime
	changes      int    // of devices that were known of then
	lines        []string
	err          error                             // of the last answer, or of one that does not come
	devices      atomic.Pointer[sysstat.Inventory] // of those lines
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

// look is what is known at an uptime, when devices have come and gone so many
// times. Where it asks, it waits for the answer as long as there is patience;
// what comes later is for a later look.
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

// question asks, and takes an answer that comes soon enough.
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

// learn keeps what was known where an answer tells nothing.
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

// name is the kernel's name of a device, "" where it is not known. Any
// goroutine may ask.
func (i *inventory) name(major, minor uint32) string {
	d, _ := i.devices.Load().Device(major, minor)
	return d.Name
}
