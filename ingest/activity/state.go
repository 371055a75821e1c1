package activity

// A State describes two properties of a machine: whether limpet has read all of its records, and
// whether its data came before the rows were closed.
type State uint8

// The states of a machine.
const (
	Reading State = iota // the files of the machine have more records
	Live                 // all records are read, and their steps came in time
	Late                 // rows were closed without data of the machine
	Silent               // at least silentSteps rows were closed without data of the machine
)

func (s State) String() string { return [...]string{"reading", "live", "late", "silent"}[s] }

// A machine counts as silent after silentSteps closed rows without its data.
const silentSteps = 20

// State returns the state of a machine. The caller passes the number of the
// last closed step.
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
