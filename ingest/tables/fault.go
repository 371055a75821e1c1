package tables

import (
	"fmt"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
)

// warnings says what is wrong with the file.
func (r *reader) warnings(file string) []ingest.Warning {
	all := warnings(file, &r.faults, r.before, r.Time.Clock.Format())
	if r.unsure > 0 {
		all = append(all, ingest.Warning{File: file, Text: fmt.Sprintf(
			"%s in the hour that comes twice as clocks are put back may be of either time; write each component's lines in the order of time, or times in UTC", english.Count(r.unsure, "sample"))})
	}
	return all
}
