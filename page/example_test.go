package page_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/page"
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
