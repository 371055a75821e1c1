package simulate

// What simulators write, in the directory that they are given.
const (
	TopologyFile = "topology.yaml"
	TruthFile    = "truth.yaml"
	ActivityDir  = "activity" // one file a machine and day
)
