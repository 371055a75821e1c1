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

var stateNames = []string{"reading", "live", "late", "silent"}

func (s State) String() string { return stateNames[s] }

// Progress is how far following is.
type Progress struct {
	Waiting  string // what is waited for before there are rows, empty once there are
	Given    int64  // end of the last row that was closed, 0 before the first
	Files    int    // that are known
	Open     int    // of them
	Refused  int    // that are no activity files, or damaged
	Machines []MachineProgress
}

// MachineProgress is how far one machine is.
type MachineProgress struct {
	Name       string
	Server     bool   // of the system; the others are clients
	State      State  //
	File       string // that is read
	LastRecord int64  // its time, 0 before the first
	Given      int64  // end of its last step that is in a row, 0 before the first
	LagSeconds int64  // of its last record behind now; negative: its clock is ahead
	LateSteps  int    // that came after their row was closed, and are left out
	Trouble    string // as a sentence, empty where there is none
}
