package engine

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// List is the persistence list of one hour.
type List struct {
	Hour    int64 // Unix time at which the hour begins
	Entries []persistence.Entry
}

// Listener hears what a diagnosis finds, in time order. What it is given is
// valid until it returns.
type Listener interface {
	Window(*persistence.Window)
	List(*List)
	Event(*incident.Event)
}

// Counter is a listener that counts what is slow, too.
type Counter interface {
	Count(*Census)
}

// Census is what is slow at a time, and among how many.
type Census struct {
	Time   int64
	Judged []int             // components that were judged and have something to do
	Odd    []finding.Finding // what is slow of them, each as if it were alone
}

// Summary is how things stand at the end of a diagnosis.
type Summary struct {
	// Incidents are those that the engine still remembers, ordered as asked for.
	// One that ended long ago has left it; whoever listened to its events still
	// has it.
	Incidents []incident.Incident
	// Suspects are components that are odd, and not for long enough or not by
	// enough to be an incident. Worst first; they have no ID.
	Suspects     []Suspect
	Top          []persistence.Entry // the list as it stands
	Accumulators []persistence.Entry // all that are above zero
	From, To     int64               // of the data
	Heard        int                 // servers that sent anything
	Examined     int                 // windows in which servers' resources could be judged
	Silent       []Silence
	Apart        []Presence // servers that never sent anything while another did, where several sent
	Idle         []Idleness
	Lacks        []Lack
	Unlike       []finding.Symptom // what half of the servers show, so that nobody is odd in it
	Skews        []Skew

	unranked bool // nobody asks for Top and Accumulators
}

// Suspect is what may become an incident.
type Suspect struct {
	incident.Incident
	// ByTime is when it becomes an incident if it goes on as it does; 0 where
	// that cannot be said.
	ByTime int64
}

// Resource is something that a question needs data of.
type Resource string

// The resources that may be lacking.
const (
	Disks          Resource = "disks"
	Interfaces     Resource = "interfaces"
	ConnectionsIn  Resource = "connections of clients to servers"
	ConnectionsOut Resource = "connections of servers to clients"
	Peers          Resource = "peers"      // three servers that can be compared
	Fineness       Resource = "short step" // records that are seconds apart
)

// Lack is what keeps a question from being answered, wholly or in part.
type Lack struct {
	Question Question
	Resource Resource
	Whole    bool // the question was not asked at all
}

// Silence is a server that sends nothing while others do.
type Silence struct {
	Server string
	Since  int64 // Unix time of its last data, 0 where it never sent any
}

// Presence is a server with the time that it has data of.
type Presence struct {
	Server   string
	From, To int64 // Unix times of its first data and its last
}

// Idleness is a server that had nothing to do while others had. It may have
// been taken out of service, or nobody may have asked it for anything: it
// differs from its peers in every metric, and is at fault in none.
type Idleness struct {
	Server   string
	From, To int64 // of the first time and the last
	Times    int
	Seconds  int64 // in all
}

// Skew is a server whose clock is seconds apart from those of most others, so
// that its rows are compared with what the others did at another time.
type Skew struct {
	Server  string // empty where half of the clocks differ and nobody knows which are right
	Seconds int64  // positive: its clock is ahead, and what it does seems late
}
