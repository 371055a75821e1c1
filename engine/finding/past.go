package finding

// Names of the measurements in evidence of class [Past], besides [AskedFor] and [ReadsOfAll]. Package
// report/sentence contains the sentences about these measurements.
const (
	PastTime = "past" // length of the past that a component was compared with, in days
)
