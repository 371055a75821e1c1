package survey

import (
	"testing"

	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/study"
)

// TestOf: shares of a fleet's own drives, by their kind; what the study does not have is
// below 0.
func TestOf(t *testing.T) {
	number := func(x float64) study.Value { return study.Value{Number: x} }
	disks := &study.Part{Kind: "disk"}
	disks.Figures = []study.Figure{
		{Name: "persist-2", Value: number(0.4)},
		{Name: "persist-8h-2", Value: number(0.125)},
		{Name: "again-2", Value: number(0.9)},
		{Name: "recur", Value: study.Value{None: true}},
		{Name: "replace-at-10-2", Value: number(700)},
	}
	runs := study.Table{Name: "runs-2"}
	runs.Add("8", number(0.5))
	runs.Add("24", number(0.25))
	disks.Tables = []study.Table{{Name: "other", Rows: runs.Rows[:1]}, runs}
	of := Of([]*study.Part{disks, {Kind: "ssd"}}, "fleet.json")
	want := advice.Prognosis{
		Source: "fleet.json", Drives: "disks", OverHour: 0.6, OverEight: 0.875, OverDay: 0.75, AgainDay: 0.9, BackSlow: -1, SavedHours: 700,
	}
	if got := *of(false); got != want {
		t.Errorf("disks: %+v, want %+v", got, want)
	}
	none := advice.Prognosis{Source: "fleet.json", Drives: "SSDs", OverHour: -1, OverEight: -1, OverDay: -1, AgainDay: -1, BackSlow: -1, SavedHours: -1}
	if got := *of(true); got != none {
		t.Errorf("SSDs: %+v, want %+v", got, none)
	}
	if got := Of([]*study.Part{disks}, "fleet.json")(true).Drives; got != "disks" {
		t.Errorf("without SSDs: those of %s, want disks", got)
	}
}
