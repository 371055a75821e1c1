package activity

// A State is how well a machine keeps up.
type State uint8

// The states of a machine.
const (
	Reading State = iota // its files have more records
	Live                 // all records are read, and steps are in time
	Late                 // rows were closed without the machine
	Silent               // at least silentSteps rows were closed without the machine
)

func (s State) String() string { return [...]string{"reading", "live", "late", "silent"}[s] }

// silentSteps is the number of steps without data after which a machine is
// silent.
const silentSteps = 20

// State returns the state of a machine when closed is the number of the last
// closed step.
func (m *machine) State(closed int64) State {
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
