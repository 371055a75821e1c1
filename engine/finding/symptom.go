package finding

// Symptom is what a component of a server can show beside its peers. Package
// words says it.
type Symptom uint8

// The symptoms of drives, of interfaces and of connections.
const (
	Waits    Symptom = iota // requests wait longer than at the peers, and the drive is busier for its work
	Loaded                  // the drive does work that the network did not bring
	Asked                   // requests wait longer than at the peers, and the drive is asked for more than they
	Receives                // the interface receives what no drive takes
	Sends                   // the interface sends what no drive gave
	LosesIn                 // what clients send to the server is lost
	LosesOut                // what the server sends to clients is lost
	NumSymptoms
)

// Kind is what a symptom speaks for.
func (s Symptom) Kind() Kind { return symptomKinds[s] }

var symptomKinds = [NumSymptoms]Kind{
	Waits: DiskBusy, Loaded: DiskHog, Asked: WorkloadImbalance, Receives: NetworkHog, Sends: NetworkHog,
	LosesIn: PacketLoss, LosesOut: PacketLoss,
}

// Doubt is what other metrics say against evidence that is beyond its
// threshold. Package words says it.
type Doubt uint8

// The doubts that detectors have.
const (
	NoDoubt     Doubt = iota
	Widespread        // half of the servers show it
	NoBusier          // the drive is no busier than its work would make its peers
	BusyAsPeer        // a peer was as busy for no more work
	MoreThanAny       // the drive serves more than any peer ever did, and was asked to
	NoLonger          // requests wait no longer than at the peers
	TooDear           // the work costs the drive more than it would cost its peers
	NotAsked          // clients did not ask for the work
	InBursts          // segments are lost together, as where a switch overflows
	FewLost           // too few segments were lost
	FewSent           // too few segments were sent
	WideWindows       // so little is lost that congestion windows would have to confirm it
	LittleMore        // the work that nobody called for is little beside that of the peers
	numDoubts
)

// Scale is what a score and its threshold are measured in. Package words says
// it.
type Scale uint8

// The scales of scores.
const (
	Distance         Scale = iota // between distributions
	TimesPeers                    // times what the peers have
	TimesPeersWork                // times the work of the peers, at their price
	PercentOfDrive                // of a drive's time
	MegabytesBeyond               // a second, beyond the peers'
	TimesPeersLosses              // times the share of segments that the peers lose, or that any network does
	OutageSteps                   // in which segments were sent again and none arrived
	Nats                          // of evidence: chance does as much once in eⁿ ticks of a component
	numScales
)
