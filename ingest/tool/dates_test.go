package tool

import "testing"

// TestDates: what dates of a text are read as, and what they tell of their order.
func TestDates(t *testing.T) {
	for name, tt := range map[string]struct {
		assumed DateOrder
		in      []string
		last    string
		want    DateOrder
		unsure  string
	}{
		"month first unless told":      {"", []string{"09/05/26 10:00:00"}, "2026-09-05T10:00:00", "", "09/05/26"},
		"told":                         {DayFirst, []string{"09/05/26 10:00:00"}, "2026-05-09T10:00:00", "", "09/05/26"},
		"no thirteenth month":          {"", []string{"09/05/26 10:00:00", "13/05/26 10:00:00"}, "2026-05-13T10:00:00", DayFirst, "09/05/26"},
		"the other way":                {DayFirst, []string{"05/13/2026 10:00:00 AM"}, "2026-05-13T10:00:00", MonthFirst, ""},
		"from day to day":              {DayFirst, []string{"09/05/26 23:00:00", "10/05/26 01:00:00"}, "2026-05-10T01:00:00", DayFirst, "09/05/26"},
		"from day to day, month first": {"", []string{"05/09/26 23:00:00", "05/10/26 01:00:00"}, "2026-05-10T01:00:00", MonthFirst, "05/09/26"},
		"over a year's end":            {"", []string{"12/31/25 23:00:00", "01/01/26 01:00:00"}, "2026-01-01T01:00:00", MonthFirst, ""},
		"the same either way":          {"", []string{"05/05/26 10:00:00"}, "2026-05-05T10:00:00", "", ""},
		"no slashes":                   {DayFirst, []string{"2026-09-05 10:00:00"}, "2026-09-05T10:00:00", "", ""},
		"no date":                      {DayFirst, []string{"aa/bb/cc 10:00:00"}, "", "", ""},
	} {
		d := Dates{Assumed: tt.assumed}
		got := ""
		for _, text := range tt.in {
			got, _ = d.Time(text)
		}
		if got != tt.last || d.Order() != tt.want || d.Ambiguous != tt.unsure {
			t.Errorf("%s: %s, order %q, unsure %q; want %s, %q, %q", name, got, d.Order(), d.Ambiguous, tt.last, tt.want, tt.unsure)
		}
	}
}
