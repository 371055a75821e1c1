package tables

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

const tableHeader = "ts,disk,latency,load\n"

// TestTimesOfTables reads the same times however they are written.
func TestTimesOfTables(t *testing.T) {
	for format, text := range map[string]string{
		"ts":                                "1766750415",
		"{column: ts, format: unix_ms}":     "1766750415000",
		"{column: ts}":                      "2025-12-26T12:00:15Z",
		"{column: ts, zone: Europe/Berlin}": "2025-12-26 13:00:15",
		"{column: ts, format: rfc3339}":     "2025-12-26T13:00:15+01:00",
		"{column: ts, format: '%a %D %T', zone: Europe/Berlin}":                  "Fri 12/26/25 13:00:15",
		"{column: ts, format: '%A %e %h %Y %I:%M:%S %p', zone: UTC}":             "Friday 26 Dec 2025 12:00:15 PM",
		"{column: ts, format: '2006-01-02T15:04:05', marks: end, zone: UTC}":     "2025-12-26T12:00:15",
		"{column: ts, format: '2006-01-02T15:04:05', marks: begin, zone: 'UTC'}": "2025-12-26T12:00:00",
	} {
		d := described(t, strings.Replace(perDrive, "time: ts", "time: "+format, 1))
		dir := write(t, map[string]string{"h1/a.csv": tableHeader + "\"" + text + "\",d1,7,100\n"})
		tables := open(t, d, 15, dir)
		if got, want := rows(t, tables), "1766750415 h1/d1 7 100\n"; got != want {
			t.Errorf("%s: got %s, want %s", format, got, want)
		}
		warned(t, tables)
	}
}

// TestAutumnHour reads local times over the hour that comes twice in Berlin as
// the same samples in UTC, and leaves out the hour of spring that never comes.
func TestAutumnHour(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("zone Europe/Berlin is absent")
	}
	const back = 1792890000 // 25 October 2026, 01:00 UTC: 03:00 becomes 02:00
	local := strings.Replace(perDrive, "time: ts", "time: {column: ts, format: '%F %T', zone: Europe/Berlin}", 1)
	type sample struct{ at, disk, latency int }
	for _, every := range []int{15, 60, 600} {
		var byDisk []sample
		rng := rand.New(rand.NewPCG(3, uint64(every)))
		for disk := range 3 {
			for at := back - 3*3600; at < back+3*3600; at += every {
				byDisk = append(byDisk, sample{at, disk, 1 + rng.IntN(100)})
			}
		}
		byTime := slices.Clone(byDisk)
		slices.SortStableFunc(byTime, func(a, b sample) int { return a.at - b.at })
		for order, list := range map[string][]sample{"disk": byDisk, "time": byTime} {
			var inZone, inUTC strings.Builder
			inZone.WriteString(tableHeader)
			inUTC.WriteString(tableHeader)
			for _, s := range list {
				fmt.Fprintf(&inZone, "%s,d%d,%d,1\n", time.Unix(int64(s.at), 0).In(zone).Format(time.DateTime), s.disk, s.latency)
				fmt.Fprintf(&inUTC, "%d,d%d,%d,1\n", s.at, s.disk, s.latency)
			}
			got := open(t, described(t, local), 0, write(t, map[string]string{"h1/a.csv": inZone.String()}))
			want := open(t, described(t, perDrive), 0, write(t, map[string]string{"h1/a.csv": inUTC.String()}))
			if a, b := rows(t, got), rows(t, want); a != b {
				t.Errorf("every %d s, by %s: %s", every, order, firstDifference(a, b))
			}
			warned(t, got)
		}
	}
	mixed := open(t, described(t, local), 15, write(t, map[string]string{
		"h1/a.csv": tableHeader + "2026-10-25 02:30:00,d1,1,1\n2026-10-25 02:20:00,d1,2,1\n2026-10-25 02:40:00,d1,3,1\n2026-10-25 01:00:00,d1,3,1\n2026-10-25 02:10:00,d1,3,1\n",
	}))
	rows(t, mixed)
	if w := fmt.Sprint(mixed.Warnings()); !strings.Contains(w, "is not unique, because clocks were set back and one hour occurred twice") {
		t.Errorf("warnings %s", w)
	}
	spring := open(t, described(t, local), 15, write(t, map[string]string{"h1/a.csv": tableHeader + "2026-03-29 01:59:45,d1,1,1\n2026-03-29 02:30:00,d1,2,1\n2026-03-29 03:00:00,d1,3,1\n"}))
	if got, want := rows(t, spring), "1774745985 h1/d1 1 1\n1774746000 h1/d1 3 1\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	warned(t, spring, `a.csv:3: 1 line is left out, because this local time does not exist: clocks were set forward (the first of these lines is "2026-03-29 02:30:00")`)
}

// TestWords: a word is a field, and a text that is the same for all is written
// as one.
func TestWords(t *testing.T) {
	files := map[string]string{"h1/a.csv": "ts,disk,latency,load,pool\n15,d1,7,100,p\n", "h2/a.csv": "ts,disk,latency,load,pool\n15,d1,8,50,q\n"}
	labels := func(description string) string {
		tables := open(t, described(t, description), 15, write(t, files))
		var out []string
		for i := range tables.System().Components {
			c := &tables.System().Components[i]
			out = append(out, tables.System().Groups[c.Group-1].Name+":"+c.Name+"@"+c.Server)
		}
		return strings.Join(out, " ")
	}
	for group, want := range map[string]string{
		"host": "h1:h1/d1@h1 h2:h2/d1@h2", `"{host}"`: "h1:h1/d1@h1 h2:h2/d1@h2", "pool": "p:h1/d1@h1 q:h2/d1@h2",
		"{text: all}": "all:h1/d1@h1 all:h2/d1@h2", `"{pool}-{host}"`: "p-h1:h1/d1@h1 q-h2:h2/d1@h2",
	} {
		if got := labels(strings.Replace(perDrive, `group: "{host}"`, "group: "+group, 1)); got != want {
			t.Errorf("group: %s gives %s, want %s", group, got, want)
		}
	}
	_, err := Open(t.Context(), described(t, strings.Replace(perDrive, `group: "{host}"`, "group: pol", 1)), []string{write(t, files)}, Options{StepSeconds: 15})
	if err == nil || !strings.Contains(err.Error(), "a.csv: there is no column pol; the file has the columns ts, disk, latency, load, pool") || !strings.HasSuffix(err.Error(), "did you mean pool? If all lines should have the text pol, write group: {text: pol}") {
		t.Errorf("error %v", err)
	}
	if _, err := ParseDescription("t.yaml", []byte(strings.Replace(perDrive, `component: "{host}/{disk}"`, "component: {text: disk}", 1))); err == nil || !strings.Contains(err.Error(), `t.yaml:4: the text "disk" would be the same for all lines`) {
		t.Errorf("error %v", err)
	}
}

// TestBeyondBelief: a value that nobody can have measured costs itself, and is
// named with its line.
func TestBeyondBelief(t *testing.T) {
	tables := open(t, described(t, perDrive), 15, write(t, map[string]string{"h1/a.csv": tableHeader + "15,d1,7,100\n30,d1,1e308,100\n45,d1,9,1e22\n60,d1,8,NaN\n"}))
	if got, want := rows(t, tables), "15 h1/d1 7 100\n30 h1/d1 - 100\n45 h1/d1 9 -\n60 h1/d1 8 -\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	warned(t, tables, `a.csv:3: 2 values are implausibly large; limpet counts these values as missing (the first is "1e308" in column latency)`)
}

// TestDoubleTables: a table that stands there as Parquet too is read once.
func TestDoubleTables(t *testing.T) {
	csv := "\"ts\",\"disk_id\",\"throughput\",\"latency\"\n1658102400,disk1,5,7\n"
	dir := write(t, map[string]string{"A/h1/a.csv": csv, "A/h1/a.parquet": fleetParquet(t, csv, plainColumns())})
	d := described(t, strings.Replace(strings.Replace(perDrive, `"{host}/*"`, `["{cluster}/{host}/*.csv", "{cluster}/{host}/*.parquet"]`, 1), "{disk}", "{disk_id}", 2))
	d.Columns = []string{"latency", "throughput"}
	tables := open(t, d, 15, dir)
	if got, want := rows(t, tables), "1658102400 h1/disk1 7 5\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	warned(t, tables, "a.csv: 1 file is left out, because the same table also exists as a Parquet file")
}

// plainColumns are those of a table of fleet.
func plainColumns() parquet.Group {
	double := parquet.Optional(parquet.Leaf(parquet.DoubleType))
	return parquet.Group{"ts": parquet.Int(64), "disk_id": parquet.String(), "throughput": double, "latency": double}
}
