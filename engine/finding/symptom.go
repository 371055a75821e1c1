package finding

// Symptom is an observation about a drive, an interface or the connections of a server, in
// comparison with its peers. Package report/sentence has the sentences.
type Symptom uint8

// The symptoms of drives, of interfaces and of connections.
const (
	Waits    Symptom = iota // requests wait longer than at the peers, and the drive is busier for its work
	Loaded                  // the drive does work that no request from the network caused
	Asked                   // requests wait longer than at the peers, and the drive has more load than the peers' drives
	Receives                // the interface receives more than the drives write
	Sends                   // the interface sends more than the drives read
	LosesIn                 // segments from clients to the server are lost
	LosesOut                // segments from the server to clients are lost
	NumSymptoms
)

// Kind returns the kind of fault that a symptom indicates.
func (s Symptom) Kind() Kind { return symptomKinds[s] }

var symptomKinds = [NumSymptoms]Kind{
	Waits: DiskBusy, Loaded: DiskHog, Asked: WorkloadImbalance, Receives: NetworkHog, Sends: NetworkHog,
	LosesIn: PacketLoss, LosesOut: PacketLoss,
}

// Doubt is a contradiction between other metrics and evidence that is above its threshold.
// Package report/sentence has the sentences.
type Doubt uint8

// The doubts that detectors have.
const (
	NoDoubt     Doubt = iota
	Widespread        // half of the servers show the same
	NoBusier          // the drive is no busier than its peers would be with the same work
	BusyAsPeer        // a peer was as busy for no more work
	MoreThanAny       // clients request more from the drive than any peer ever served
	NoLonger          // requests wait no longer than at the peers
	TooDear           // the work takes more time than it would take on the peers
	NotAsked          // clients did not request the work
	InBursts          // segments are lost in bursts, as when a switch overflows
	FewLost           // too few segments were lost
	FewSent           // too few segments were sent
	WideWindows       // the loss is so small that smaller congestion windows must confirm it, and they do not
	LittleMore        // the work without a request from clients is small beside the work of the peers
	numDoubts
)

// Scale is the unit of a score and its threshold. Package report/sentence has its name in
// words.
type Scale uint8

// The scales of scores.
const (
	Distance         Scale = iota // distance between distributions
	TimesPeers                    // multiple of the value of the peers
	TimesPeersWork                // multiple of the work of the peers, where work is measured as the busy time that it costs the peers
	PercentOfDrive                // percent of a drive's time
	MegabytesBeyond               // MB/s above the peers
	TimesPeersLosses              // multiple of the share of segments that the peers, or any healthy network, lose
	OutageSteps                   // steps in which segments were sent again and no segment arrived
	EvidenceUnits                 // evidence, a natural logarithm: a healthy component reaches n by chance once in eⁿ ticks
	numScales
)
