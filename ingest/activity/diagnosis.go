package activity

import "github.com/limpet-storage/limpet/engine"

// ForDiagnosis returns the options to read activity files for a diagnosis: the
// metrics that the questions of the diagnosis need, and the shortest step that
// it uses.
func ForDiagnosis(diagnosis *engine.Options) Options {
	needed, wanted := diagnosis.Wants()
	o := Options{Metrics: needed, Wanted: Wanted{Metrics: wanted, Finest: 1, WithinSeconds: diagnosis.FineSeconds}}
	o.Latencies = diagnosis.Asks(engine.Components)
	if !diagnosis.Asks(engine.Components) {
		o.Finest = diagnosis.Detect.StepSeconds
	}
	return o
}
