package activity

import "github.com/limpet-storage/limpet/engine"

// ForDiagnosis returns the options with which activity files are read for a
// diagnosis: the metrics that the diagnosis needs, and the shortest step that
// it uses.
func ForDiagnosis(diagnosis *engine.Options) Options {
	needed, wanted := diagnosis.WantedMetrics()
	o := Options{Metrics: needed, Wanted: Wanted{Metrics: wanted, Finest: 1, WithinSeconds: diagnosis.Criteria.FineSeconds}}
	o.Latencies = diagnosis.HasQuestion(engine.Components)
	if !diagnosis.HasQuestion(engine.Components) {
		o.Finest = diagnosis.Detect.StepSeconds
	}
	return o
}
