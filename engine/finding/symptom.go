package finding

// Symptom is an observation about a drive, an interface or the connections of a server,
// in comparison with its peers. Package report/sentence contains the sentences about
// symptoms.
type Symptom uint8

// The symptoms of drives, of interfaces and of connections.
const (
	Waits     Symptom = iota // requests wait longer than the requests of the peers, and the drive is busier than the peers would be with the same work
	Loaded                   // the drive does work that no request from the network caused
	Asked                    // requests wait longer than the requests of the peers, and the drive has more load than the peers' drives
	Receives                 // the interface receives more than the drives write
	Sends                    // the interface sends more than the drives read
	LosesIn                  // segments from clients to the server are lost
	LosesOut                 // segments from the server to clients are lost
	Serves                   // the server serves more than its peers: its drives read or write the data that its interface carries
	Exchanges                // the server exchanges more data with other servers of the system than its peers
	NumSymptoms
)

// Kind returns the kind of fault that a symptom indicates.
func (s Symptom) Kind() Kind { return symptomKinds[s] }

var symptomKinds = [NumSymptoms]Kind{
	Waits: DiskBusy, Loaded: DiskHog, Asked: WorkloadImbalance, Receives: NetworkHog, Sends: NetworkHog,
	LosesIn: PacketLoss, LosesOut: PacketLoss, Serves: WorkloadImbalance, Exchanges: SystemUpkeep,
}

// Doubt is the reason why evidence above its threshold does not show a fault. Package
// report/sentence contains the sentences about doubts.
type Doubt uint8

// The doubts that detectors have.
const (
	NoDoubt     Doubt = iota
	Widespread        // so many servers show the symptom that a fault of one server is unlikely
	NoBusier          // the drive is no busier than its peers would be with the same work
	BusyAsPeer        // a peer with the same work or less was equally busy
	MoreThanAny       // clients request more from the drive than any peer ever served
	NoLonger          // requests wait no longer than the requests of the peers
	TooCostly         // the work takes more time than it would take on the peers
	NotAsked          // clients did not request the work
	InBursts          // segments are lost in bursts, as happens when the buffer of a switch overflows
	FewLost           // so few segments were lost that the loss does not show a fault
	FewSent           // so few segments were sent that the loss does not show a fault
	WideWindows       // the loss is moderate, and the congestion windows of the host have not shrunk, so they do not confirm the loss
	LittleMore        // the additional work or traffic is small compared with the work or traffic of the peers
	NotMoved          // the drives of the server did not read or write the data that its interface carries
	Queues            // load explains the wait: the drive has more load than its peers (only Ceph), or clients request more from the whole group than usual
	numDoubts
)

// Names of the measurements by which the requests of a drive are compared with the requests of its
// peers. They are compared if the requests of the drive wait too long ([Waits]). Package
// report/sentence contains the sentences about these measurements.
const (
	ReadsOfAll  = "share of reads"
	WorkOfDrive = "work" // busy time that a peer would need for the work of the drive, divided by the busy time of the peers, in percent
)

// Scale is the unit of a score and its threshold. Package report/sentence contains the
// names of scales for people.
type Scale uint8

// The scales of scores.
const (
	Distance         Scale = iota // distance between distributions
	TimesPeers                    // ratio of the value to the value of the peers
	TimesPeersWork                // ratio of the work of a drive to the work of its peers; work is measured as the busy time that the peers would need for the same work
	PercentOfDrive                // percent of a drive's time
	MegabytesBeyond               // MB/s above the peers
	TimesPeersLosses              // ratio of the share of lost segments to the larger of two shares: the share that the peers lose, and the share that a healthy network may lose
	OutageSteps                   // number of steps in which segments were sent again and no segment arrived
	EvidenceUnits                 // evidence as a natural logarithm: by chance, a healthy component reaches evidence n once in eⁿ ticks
	TimesApart                    // ratio of the larger of two values to the smaller
	PointsApart                   // difference in percentage points
	ShareUsed                     // share of a limited resource that is used, such as the space of a file system
	ShareOfRise                   // share of one component or server in all additional requests at a place
	ShareOfTraffic                // share of one client in all additional bytes that clients exchange
	numScales
)
