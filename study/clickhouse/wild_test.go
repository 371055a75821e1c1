package clickhouse

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/study"
)

// wild draws records with everything that goes wrong: ties, zeros, idle hours,
// missing and impossible values, records that stand twice, drives that change
// groups, groups that are small or of two kinds, names that need quotes.
func wild(t testing.TB, start time.Time, hours int, ordinary bool) *fixture {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	groups := []string{"a", "b'", `c\d`, "d`e", "é, f", "g\"h", "two", "mixed"}
	var records []record
	for h := range hours {
		at := start.Add(time.Duration(h) * time.Hour)
		for g, group := range groups {
			if rng.IntN(15) == 0 {
				continue
			}
			median := 100 * float64(1+rng.IntN(50))
			for d := range members(group, g) {
				r := drawn(rng, at, group, median)
				r.drive = fmt.Sprintf("%s-%d", group, d)
				if d == 0 && g < 4 && h%50 > 25 {
					r.drive = "guest" // of one group after another
					r.group = groups[h/50%4]
				}
				if d == 1 && g%2 == 0 {
					r.role = "parity"
				}
				if h == 60 { // beyond all bins
					r.ios, r.latency = known(1000), known(beyond(d))
				}
				records = append(records, r)
				if rng.IntN(12) == 0 {
					again := drawn(rng, at, r.group, median)
					again.drive, again.role = r.drive, r.role
					records = append(records, again)
				}
			}
		}
	}
	if !ordinary {
		records = append(records, record{time: start, group: "a", drive: " "}, record{time: start, group: "", drive: "a-1"})
	}
	f := written(t, records)
	f.inventory = filepath.Join(f.dir, "inventory.csv")
	writeCSV(t, f.inventory, inventory(records))
	return f
}

// beyond is a latency of some drives that the others' are nothing against.
func beyond(d int) float64 {
	if d < 4 {
		return 1e9
	}
	return 1e-40
}

func members(group string, g int) int {
	if group == "two" {
		return 3
	}
	return 4 + g*3
}

// drawn is a record that may be anything.
func drawn(rng *rand.Rand, at time.Time, group string, median float64) record {
	r := record{time: at, group: group, role: "data"}
	factors := []float64{1, 1, 1, 1, 1.1, 0.9, 1.25, 1.5, 1.7, 2, 3, rng.Float64() * 4, 1 + rng.ExpFloat64()}
	r.latency = known(median * factors[rng.IntN(len(factors))])
	r.ios = known(float64(rng.IntN(4)) * 1000)
	r.size = known(4096 * factors[rng.IntN(len(factors))])
	for _, v := range []**float64{&r.ios, &r.latency, &r.size} {
		switch rng.IntN(60) {
		case 0:
			*v = nil
		case 1:
			*v = known(-3)
		case 2:
			*v = known(0)
		case 3:
			*v = known(1e300)
		case 4:
			*v = known(1e-40)
		case 5:
			*v = known(1e14)
		}
	}
	return r
}

// inventory knows most drives, of both kinds, with days that have anniversaries
// among the records or are yet to come.
func inventory(records []record) [][]string {
	lines := [][]string{{"drive", "kind", "model", "deployed"}}
	known := make(map[string]bool)
	for i := range records {
		r := &records[i]
		if known[r.drive] || r.drive == " " {
			continue
		}
		known[r.drive] = true
		line := []string{r.drive, "disk", fmt.Sprint("m", len(known)%3), r.time.AddDate(-len(known)%5, 0, len(known)-40).Format(time.DateOnly)}
		switch {
		case len(known)%11 == 0:
			continue
		case r.group == "b'" || r.group == "mixed" && len(known)%4 == 0:
			line[1] = "ssd"
		case len(known)%7 == 0:
			line[3] = ""
		case len(known)%13 == 0:
			line[3] = r.time.AddDate(3, 0, 0).Format(time.DateOnly)
		}
		lines = append(lines, line)
	}
	return lines
}

// isSplit reports whether a drive has two seats in one year of its life.
func isSplit(seats []study.Seat) bool {
	for i := range seats[1:] {
		if a, b := seats[i], seats[i+1]; a.Cell == b.Cell && a.Drive == b.Drive && a.Year == b.Year {
			return true
		}
	}
	return false
}

func berlin(t testing.TB) *time.Location {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zones are installed")
	}
	return zone
}

// TestWild reduces wild records over a change of clocks and of months, by many
// thresholds, in one query and in many.
func TestWild(t *testing.T) {
	s := startServers(t, 1)[0]
	f := wild(t, time.Date(2026, time.March, 20, 0, 0, 0, 0, time.UTC), 400, false)
	s.load("records", f.records, all)
	so := study.Options{Thresholds: []float64{1.1, 1.3, 1.7, 2, 3}, Zone: berlin(t)}
	want := f.embedded(t, nil, so)
	a := want.reduction.Accounts[study.All]
	for _, n := range []int64{a.Counted, a.Parity, a.Idle, a.NoLatency, a.ZeroLatency, a.Invalid, a.Duplicate, a.Narrow, a.Mixed, a.IdleHours} {
		if n == 0 {
			t.Errorf("the records are not wild enough: %+v", a)
		}
	}
	if r := want.reduction; !slices.ContainsFunc(r.Slow, func(h study.SlowHour) bool { return !h.Turn.GoesOn() }) || !isSplit(r.Seats) {
		t.Error("the records are not wild enough: no drive is away, or none for long")
	}
	if want.faults.Rows == 0 || want.faults.Values == 0 {
		t.Errorf("the records are not wild enough: %+v", want.faults)
	}
	o := DefaultOptions()
	o.Table, o.InventoryFiles, o.Queries = "default.records", []string{f.inventory}, 1
	same(t, reduced(t, s.DSN(), o, so), want)
	o.RangeRows, o.Queries = int64(len(f.records)/4), 3
	same(t, reduced(t, s.DSN(), o, so), want)
}
