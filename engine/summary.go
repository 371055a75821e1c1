package engine

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// List has the largest accumulators at the end of one hour, largest first. It shows which
// components were anomalous most persistently.
type List struct {
	Hour    int64 // Unix time at which the hour begins
	Entries []persistence.Entry
}

// Listener receives the results of a diagnosis, in order of time. The argument of a method is valid
// only until the method returns.
type Listener interface {
	Window(*persistence.Window)
	List(*List)
	Event(*incident.Event)
}

// NoListener is a listener that ignores everything. It is for callers that need no results during
// the diagnosis, and read the summary of the engine instead.
type NoListener struct{}

// Window ignores a window.
func (NoListener) Window(*persistence.Window) {}

// List ignores a list.
func (NoListener) List(*List) {}

// Event ignores an event.
func (NoListener) Event(*incident.Event) {}

// Counter is an optional interface of a listener. If a listener implements it, the listener
// receives a [Census] each time that the detectors judge which components are slow. A cluster
// combines the censuses of its partitions, to find causes that several partitions have in common.
type Counter interface {
	Count(*Census)
}

// Census lists the components that are slow at one time, and all components that could be judged at
// this time.
type Census struct {
	Time   int64             // Unix time
	Judged []int             // components that could be judged and have load
	Odd    []finding.Finding // one finding for each slow component, even if several components have one cause in common
}

// Summary is the state of a diagnosis at one time.
type Summary struct {
	// Incidents are the open incidents, and the incidents that ended within
	// criteria.Options.RememberSeconds. The caller of [Engine.Summary] chooses their order. The
	// engine does not keep older incidents. Their events have been sent to the listener.
	Incidents []incident.Incident
	// Suspects are problems with too little evidence for an incident, worst first.
	// Suspects have no ID.
	Suspects     []Suspect
	Top          []persistence.Entry // the largest accumulators, largest first
	Accumulators []persistence.Entry // all accumulators above zero
	From, To     int64               // Unix times of the start and the end of the data
	Heard        int                 // number of servers that sent data
	WithPast     int                 // number of components that are compared with their own past
	Examined     int                 // number of windows in which servers could be compared with each other
	Silent       []Silence
	Apart        []Presence // servers whose data never overlap in time with the data of any other server
	Idle         []Idleness
	Lacks        []Lack
	Unlike       []finding.Symptom // symptoms that at least half of the servers show, so that it is unknown which server is anomalous
	Skews        []Skew

	unranked bool // if set, Top and Accumulators are not filled
}

// Suspect is a problem that may become an incident.
type Suspect struct {
	incident.Incident
	// ByTime is the Unix time at which the suspect becomes an incident, if its Amount continues to
	// grow at the present rate. The Amount is the size of the problem times its duration. ByTime is
	// 0 if this time is unknown.
	ByTime int64
}

// Resource is a kind of data that a diagnosis needs to answer a [Question].
type Resource string

// The resources that may be lacking.
const (
	Disks          Resource = "disks"
	Interfaces     Resource = "interfaces"
	ConnectionsIn  Resource = "connections of clients to servers"
	ConnectionsOut Resource = "connections of servers to clients"
	Peers          Resource = "peers"      // three servers that can be compared
	Fineness       Resource = "short step" // records that are at most FineSeconds apart
)

// Lack is a resource that is missing in the data. Without it, the diagnosis answers a [Question]
// only in part, or not at all.
type Lack struct {
	Question Question
	Resource Resource
	Whole    bool // true if the question is not answered at all; false if it is answered in part
}

// Silence is a server that sends no data while other servers send data.
type Silence struct {
	Server string
	Since  int64 // Unix time of the server's last data; 0 if the server never sent data
	// Why is a warning of the source: the server has data that limpet cannot use, for this reason.
	// It is empty if the server has no data, or if the reason is unknown.
	Why string
}

// Presence is a server and the time span of its data.
type Presence struct {
	Server   string
	From, To int64 // Unix times of the server's first data and of its last data
}

// Idleness is a server that had no load while other servers had load. Such a server was
// out of service, or no client used it. It differs from its peers in every metric, but is
// not at fault.
type Idleness struct {
	Server   string
	From, To int64 // Unix times: start of the first idle period, and end of the last idle period
	Times    int   // number of idle periods
	Seconds  int64 // total length of the idle periods
}

// Skew is a server whose clock differs by some seconds from most other clocks. Detectors then
// compare its rows with rows that other servers recorded at another time.
type Skew struct {
	Server  string // empty if at least half of the clocks differ from the others; then it is unknown which clocks are right
	Seconds int64  // positive if the server's clock is ahead
}
