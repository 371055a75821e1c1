package simulate

// Names of files and directories in the directory of a simulation.
const (
	TopologyFile = "topology.yaml"
	TruthFile    = "truth.yaml"
	ActivityDir  = "activity" // one file for each machine and day
)
