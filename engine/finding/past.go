package finding

// Names of the measurements in the evidence of findings of class [Past], besides [AskedFor] and
// [ReadsOfAll]. Package report/sentence contains the sentences about these measurements.
const (
	PastTime           = "past"                                 // length of the past that a component was compared with, in days
	MoreRequests       = "requests of the noisy neighbour"      // requests to another component, which gets many more requests than before
	MoreServerRequests = "requests through the noisy neighbour" // requests through another server, which serves many more requests than before
	MoreClientBytes    = "traffic of the noisy neighbour"       // traffic of a client (field Client), which exchanges many more bytes than before, in MB/s
)
