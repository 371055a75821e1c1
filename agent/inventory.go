package agent

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/sysstat"
)

// errSilent is an inventory that takes longer than anyone waits.
var errSilent = errors.New("a device does not answer: names are those known before")

// An inventory is the comments on devices that were last heard. Devices are
// asked beside the sampling, since one that hangs may keep its answer for
// ever; there is one question at a time, and it ends with its answer.
type inventory struct {
	ask      func() ([]string, error)
	patience time.Duration
	answers  chan answer
	asking   bool
	lines    []string
	devices  atomic.Pointer[sysstat.Inventory] // of those lines
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

// look asks, and waits for the answer as long as there is patience. What comes
// later is for the next look.
func (i *inventory) look() ([]string, error) {
	if !i.asking {
		i.asking = true
		go func() {
			lines, err := i.ask()
			i.answers <- answer{lines, err}
		}()
	}
	select {
	case a := <-i.answers:
		i.asking = false
		if a.err == nil {
			i.learn(a.lines)
		}
		return i.lines, a.err
	case <-time.After(i.patience):
		return i.lines, errSilent
	}
}

func (i *inventory) learn(lines []string) {
	i.lines = lines
	devices := &sysstat.Inventory{}
	for _, line := range lines {
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
