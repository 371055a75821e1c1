package activity

// A State is how a machine keeps up.
type State uint8

// The states of a machine.
const (
	Reading State = iota // there is more in its files
	Live                 // all was read, and steps come in time
	Late                 // steps were closed without it
	Silent               // none of its steps was used for a while
)

func (s State) String() string { return [...]string{"reading", "live", "late", "silent"}[s] }

// silentSteps is after how many steps without it a machine is silent.
const silentSteps = 20

// State is how a machine keeps up when so many steps were closed.
func (m *server) State(closed int64) State {
	switch {
	case m.Grow.Behind && closed-m.Grow.Missed >= silentSteps:
		return Silent
	case m.Grow.Behind:
		return Late
	case m.Grow.Dry:
		return Live
	}
	return Reading
}
