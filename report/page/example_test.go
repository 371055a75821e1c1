package page_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/report/page"
)

func ExamplePage() {
	at := []float64{0, 15, 30, 45}
	crowd, err := page.NewCrowd(page.Chart{
		Title:  "Disks of server 7",
		X:      page.Axis{Label: "time", Scale: page.Time},
		Y:      page.Axis{Label: "await", Unit: "ms", Max: 40},
		At:     at,
		Series: []page.Series{{Name: "sdq", Role: page.Suspect, Values: []float64{9, 31, math.NaN(), 35}}},
		Levels: []page.Level{{Name: "threshold", Role: page.Threshold, Value: 20}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 24 {
		if err := crowd.Add([]float64{8, 9, 8, 9}); err != nil {
			fmt.Println(err)
			return
		}
	}

	p := page.New(page.Options{Title: "Limping disks"})
	summary := p.Section("Summary")
	evidence := p.Section("Evidence", page.Text("One disk waits four times as long as its peers."), crowd)
	summary.Add(page.Table{
		Columns: []page.Column{{Name: "disk"}, {Name: "await, ms", Numeric: true}},
		Rows:    [][]page.Cell{{{Text: "sdq", To: evidence, Role: page.Suspect}, {Text: "33"}}},
	})

	var html strings.Builder
	fmt.Println(p.Write(&html), strings.Contains(html.String(), `<a href="#evidence">sdq</a>`))
	// Output: <nil> true
}

func ExampleSection_Cases() {
	p := page.New(page.Options{Title: "Incidents of the night"})
	summary := p.Section("When and where")
	incidents := p.Section("Incidents").Cases("Incidents")

	fs16 := incidents.Add("fs16", "fs16 no longer serves 9 LUNs whose primary it is; fs9 carries their load.",
		page.Text("Decided by nine attachments without data while their server has some."))
	fs16.State, fs16.Role = "confirmed", page.Suspect
	fs16.Facts = []string{"since 19:07", "9 LUNs", "severity 41"}

	const evening = 1714590420
	summary.Add(page.Timeline{
		Title: "Incidents",
		Lanes: []page.Lane{{
			Name: "fs16", To: &fs16.Section,
			Intervals: []page.Interval{{
				Label: "lost attachment", Role: page.Suspect,
				Begin: evening, Early: evening - 300, Late: evening + 300, Open: true,
			}},
			Moments: []page.Moment{{Label: "alert", At: evening + 3600}},
		}},
	}, page.Map{
		Title:   "Arrays and LUNs",
		Value:   page.Axis{Label: "accumulator"},
		Columns: []string{"0", "1", "2"},
		Rows: []page.MapRow{{Name: "array 1", Tiles: []page.Tile{
			{Name: "1.0", Value: 0},
			{Name: "1.1", Value: 41, Text: "no data", Role: page.Suspect, To: &fs16.Section},
			{Name: "1.2", Value: math.NaN()},
		}}},
	})

	var html strings.Builder
	fmt.Println(p.Write(&html), strings.Count(html.String(), `href="#case-fs16"`))
	// Output: <nil> 5
}
