package clickhouse

import "testing"

func TestParseTable(t *testing.T) {
	tests := map[string]table{
		"records":                     {"", "records"},
		"fleet.records":               {"fleet", "records"},
		"fleet.records.2026":          {"fleet", "records.2026"},
		"`records.2026`":              {"", "records.2026"},
		"fleet.`records.2026`":        {"fleet", "records.2026"},
		"`my.fleet`.`records.2026`":   {"my.fleet", "records.2026"},
		"`my.fleet`.records":          {"my.fleet", "records"},
		"records` WHERE 1":            {"", "records` WHERE 1"},
		"`records":                    {"", "`records"},
		"`records` WHERE 1; DROP x.y": {"`records` WHERE 1; DROP x", "y"},
	}
	for name, want := range tests {
		if got := parseTable(name); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
