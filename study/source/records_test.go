package source

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/limpet-storage/limpet/study"
)

// TestRecords reads small tables: what is defined about times, folding, names
// and directions, line by line.
func TestRecords(t *testing.T) {
	const header = "time,group,drive,ios,latency_us,size_bytes\n"
	tests := map[string]struct {
		description string
		in          string
		want        string
		repeated    int64
	}{
		"hourly, as it is": {
			in:   header + "3600,g,a,10,100,4096\n3600,g,b,0,,\n7200,g,a,NA,200,NA\n",
			want: "all 1 g a 10 100 4096\n all 1 g b 0 NaN NaN\n all 2 g a NaN 200 NaN",
		},
		"hourly, twice: the study's to leave out": {
			in:   header + "3600,g,a,10,100,1\n3600,g,a,20,200,2\n",
			want: "all 1 g a 10 100 1\n all 1 g a 20 200 2",
		},
		"hourly, another group": {
			in:   header + "3600,g,a,10,100,1\n7200,h,a,10,100,1\n",
			want: "all 1 g a 10 100 1\n all 2 h a 10 100 1",
		},
		"finer, over requests": {
			in: header + "3600,g,a,10,100,4096\n5400,g,a,30,200,8192\n",
			// (10·100 + 30·200)/40, (10·4096 + 30·8192)/40
			want: "all 1 g a 40 175 7168",
		},
		"finer, a record without requests says nothing of latency": {
			in:   header + "3600,g,a,10,100,4096\n5400,g,a,0,9999,1\n",
			want: "all 1 g a 10 100 4096",
		},
		"finer, idle": {
			in:   header + "3600,g,a,0,,\n5400,g,a,0,,\n",
			want: "all 1 g a 0 NaN NaN",
		},
		"finer, a latency without a count has no weight": {
			in:   header + "3600,g,a,10,100,4096\n5400,g,a,,9999,4096\n",
			want: "all 1 g a 10 100 4096",
		},
		"finer, a count without a latency has no part in it": {
			in:   header + "3600,g,a,10,100,4096\n5400,g,a,30,,4096\n",
			want: "all 1 g a 40 100 4096",
		},
		"finer, nothing counted: records are alike": {
			in:   header + "3600,g,a,,100,\n5400,g,a,,200,\n",
			want: "all 1 g a NaN 150 NaN",
		},
		"finer, a latency without a count where another record counts none": {
			in:   header + "3600,g,a,0,,\n5400,g,a,,9999,4096\n",
			want: "all 1 g a 0 NaN NaN",
		},
		"finer, nothing measured": {
			in:   header + "3600,g,a,,,\n5400,g,a,,,\n",
			want: "all 1 g a NaN NaN NaN",
		},
		"finer, zero is not missing": {
			in:   header + "3600,g,a,,0,\n5400,g,a,,200,\n",
			want: "all 1 g a NaN 100 NaN",
		},
		"finer, the first of two at a time counts": {
			in:       header + "3600,g,a,10,100,1\n3600,g,a,90,900,1\n5400,g,a,10,200,1\n",
			want:     "all 1 g a 20 150 1",
			repeated: 1,
		},
		"finer, not in order": {
			in:       header + "5400,g,a,10,200,1\n3600,g,a,10,100,1\n7200,g,a,1,1,1\n5400,g,a,90,900,1\n",
			want:     "all 1 g a 20 150 1\n all 2 g a 1 1 1",
			repeated: 1,
		},
		"finer, a drive that changes groups within the hour": {
			in:   header + "3600,g,a,10,100,1\n4500,h,a,10,200,1\n5400,g,a,30,200,1\n",
			want: "all 1 g a 40 175 1\n all 1 h a 10 200 1",
		},
		"the last nanosecond of an hour": {
			description: "time: {column: time, format: unix_ns}",
			in:          header + "7199999999999,g,a,1,1,1\n7200000000000,g,a,2,2,2\n",
			want:        "all 1 g a 1 1 1\n all 2 g a 2 2 2",
		},
		"times mark the end": {
			description: "time: {column: time, marks: end}",
			in:          header + "3600,g,a,1,1,1\n7200,g,a,2,2,2\n",
			want:        "all 0 g a 1 1 1\n all 1 g a 2 2 2",
		},
		"rates, hourly": {
			description: "ios: {column: iops, unit: 1/s}\nlatency: {column: await, unit: ms}\nsize: {column: kb, unit: KiB}",
			in:          "time,group,drive,iops,await,kb\n3600,g,a,0.5,4.25,8\n",
			want:        "all 1 g a 1800 4250 8192",
		},
		"rates, finer: the mean, and weights still": {
			description: "ios: {column: iops, unit: 1/s}\nlatency: {column: await, unit: ms}\nsize: none",
			in:          "time,group,drive,iops,await\n3600,g,a,1,1\n5400,g,a,3,2\n",
			want:        "all 1 g a 7200 1750 NaN",
		},
		"reads and writes apart": {
			description: "reads: {ios: r, latency: rl}\nwrites: {ios: w, latency: wl}",
			in:          "time,group,drive,r,rl,w,wl\n3600,g,a,10,100,30,200\n3600,g,b,0,,5,50\n3600,g,c,,1,5,50\n",
			want: `all 1 g a 40 175 NaN
				all 1 g b 5 50 NaN
				all 1 g c NaN NaN NaN
				reads 1 g a 10 100 NaN
				reads 1 g b 0 NaN NaN
				reads 1 g c NaN 1 NaN
				writes 1 g a 30 200 NaN
				writes 1 g b 5 50 NaN
				writes 1 g c 5 50 NaN`,
		},
		"reads beside all, finer": {
			description: "ios: n\nlatency: l\nsize: none\nreads: {ios: r, latency: rl, size: {column: rs, unit: sectors}}",
			in:          "time,group,drive,n,l,r,rl,rs\n3600,g,a,10,100,1,7,8\n5400,g,a,30,200,3,11,16\n",
			want:        "all 1 g a 40 175 NaN\n reads 1 g a 4 10 7168",
		},
		"names of several columns": {
			description: "group: \"{rack}-{raid}\"\ndrive: \"{rack}/{slot}\"",
			in:          "time,rack,raid,slot,latency_us\n3600,r1,0,1,5\n3600,r1,1,1,6\n3600,r2,0,1,7\n",
			want:        "all 1 r1-0 r1/1 NaN 5 NaN\n all 1 r1-1 r1/1 NaN 6 NaN\n all 1 r2-0 r2/1 NaN 7 NaN",
		},
		"names that mean nothing elsewhere": {
			in:   header + "3600,none,NA,10,NA,-\n3600,-,null,10,100,1\n",
			want: "all 1 - null 10 100 1\n all 1 none NA 10 NaN NaN",
		},
		"quotes, semicolons, a mark and carriage returns": {
			in:   "\ufefftime;group;drive;latency_us\r\n3600;\"g;1\";\"a \"\"x\"\"\";5\r\n",
			want: "all 1 g;1 a \"x\" NaN 5 NaN",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := write(t, t.TempDir(), "a.csv", tt.in)
			s := open(t, options(t, tt.description), path)
			sameLines(t, printed(s.Fleet(), all(t, s)), lines(tt.want))
			if f := s.Faults(); f.Repeated != tt.repeated || f.Rows > 0 || f.Values > 0 {
				t.Errorf("faults %+v", f)
			}
		})
	}
}

// TestDaylightSaving reads local times of Berlin around both changes of its
// clocks in 2026: on 29 March 02:00 becomes 03:00, on 25 October 03:00 becomes
// 02:00.
func TestDaylightSaving(t *testing.T) {
	const (
		spring = 1774742400 / 3600 // 2026-03-29 00:00 UTC, 01:00 in Berlin
		autumn = 1792879200 / 3600 // 2026-10-24 22:00 UTC, 00:00 of the 25th in Berlin
	)
	hourly := "time: {column: time, format: \"%Y-%m-%d %H:%M\", zone: Europe/Berlin}"
	row := func(drive, time string, latency int) string {
		return fmt.Sprintf("2026-%s,g,%s,%d\n", time, drive, latency)
	}
	var twoDrives, byDrive strings.Builder
	clock := []string{"10-25 00:00", "10-25 01:00", "10-25 02:00", "10-25 02:00", "10-25 03:00"}
	for i, time := range clock {
		for k, drive := range []string{"a", "b"} {
			twoDrives.WriteString(row(drive, time, 10*(i+1)+k))
		}
	}
	for k, drive := range []string{"a", "b"} {
		for i, time := range clock {
			byDrive.WriteString(row(drive, time, 10*(i+1)+k))
		}
	}
	var want []string
	for i := range clock {
		for k, drive := range []string{"a", "b"} {
			want = append(want, fmt.Sprintf("all %d g %s NaN %d NaN", autumn+i, drive, 10*(i+1)+k))
		}
	}
	tests := map[string]struct {
		in      string
		want    []string
		skipped int64
	}{
		"back, all drives by the hour": {in: twoDrives.String(), want: want},
		"back, drive by drive":         {in: byDrive.String(), want: want},
		"back, a drive with one of two": {
			in:   row("a", "10-25 02:00", 1) + row("b", "10-25 02:00", 2) + row("b", "10-25 02:00", 3),
			want: []string{fmt.Sprintf("all %d g a NaN 1 NaN", autumn+2), fmt.Sprintf("all %d g b NaN 2 NaN", autumn+2), fmt.Sprintf("all %d g b NaN 3 NaN", autumn+3)},
		},
		"back, half hours": {
			in:   row("a", "10-25 02:00", 1) + row("a", "10-25 02:30", 3) + row("a", "10-25 02:00", 5) + row("a", "10-25 02:30", 7),
			want: []string{fmt.Sprintf("all %d g a NaN 2 NaN", autumn+2), fmt.Sprintf("all %d g a NaN 6 NaN", autumn+3)},
		},
		"forward": {
			in:   row("a", "03-29 01:00", 1) + row("a", "03-29 03:00", 2),
			want: []string{fmt.Sprintf("all %d g a NaN 1 NaN", spring), fmt.Sprintf("all %d g a NaN 2 NaN", spring+1)},
		},
		"forward, an hour that never was": {
			in:      row("a", "03-29 01:00", 1) + row("a", "03-29 02:00", 9) + row("a", "03-29 03:00", 2),
			want:    []string{fmt.Sprintf("all %d g a NaN 1 NaN", spring), fmt.Sprintf("all %d g a NaN 2 NaN", spring+1)},
			skipped: 1,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := write(t, t.TempDir(), "a.csv", "time,group,drive,latency_us\n"+tt.in)
			s := open(t, options(t, hourly), path)
			sameLines(t, printed(s.Fleet(), all(t, s)), tt.want)
			if f := s.Faults(); f.Rows != tt.skipped {
				t.Errorf("faults %+v", f)
			}
		})
	}
}

// TestRepeatedHourOverFiles has the hour that comes twice in two files.
func TestRepeatedHourOverFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "1.csv", "time,group,drive,latency_us\n2026-10-25 02:00:00,g,a,1\n")
	write(t, dir, "2.csv", "time,group,drive,latency_us\n2026-10-25 02:00:00,g,a,2\n")
	for _, workers := range []int{1, 2} {
		o := options(t, "time: {column: time, zone: Europe/Berlin}")
		o.Workers = workers
		s := open(t, o, dir)
		sameLines(t, printed(s.Fleet(), all(t, s)), []string{"all 498024 g a NaN 1 NaN", "all 498025 g a NaN 2 NaN"})
	}
}

func TestMalformedRows(t *testing.T) {
	in := `time,group,drive,ios,latency_us
3600,g,a,1,100
yesterday,g,a,1,100
3600,,a,1,100
3600,g, ,1,100
3600,g,b,1
3600,g,b,1,100,7

3600,g,"c,1,100
3600,g,d,-1,100
3600,g,e,1,fast
3600,g,f,1,1e300
-5,g,g,1,100
7200,g,a,1,200
`
	want := `a.csv:3: "yesterday" in column time is not a time; write the format or the time zone of the time
		a.csv:4: column group is empty
		a.csv:5: column drive is empty
		a.csv:6: the line has 4 fields, and the header has 5: "3600,g,b,1"
		a.csv:7: the line has 6 fields, and the header has 5: "3600,g,b,1,100,7"`
	for _, order := range []string{"sorted", "unsorted"} {
		text := in
		if order == "unsorted" {
			text += "3600,g,z,1,100\n"
		}
		path := write(t, t.TempDir(), "a.csv", text)
		s := open(t, options(t, ""), path)
		rows := all(t, s)
		f := s.Faults()
		if f.Rows != 7 || f.Values != 3 {
			t.Errorf("%s: %+v", order, f)
		}
		var first []string
		for _, w := range f.First {
			first = append(first, strings.TrimPrefix(w.String(), filepath.Dir(path)+"/"))
		}
		sameLines(t, first, lines(want))
		if n := len(rows); n != 5 && order == "sorted" || n != 6 && order == "unsorted" {
			t.Errorf("%s: %d rows: %v", order, n, printed(s.Fleet(), rows))
		}
	}
}

// TestOtherEnginesParquet reads columns as other engines write them: optional,
// widened, without a dictionary, and with nulls in any of them.
func TestOtherEnginesParquet(t *testing.T) {
	type row struct {
		Time    *int64   `parquet:"time,timestamp(microsecond)"`
		Group   *string  `parquet:"group,dict"`
		Drive   *int64   `parquet:"drive"`
		IOs     *int64   `parquet:"ios,dict"`
		Latency *float64 `parquet:"latency_us"`
		Size    *string  `parquet:"size_bytes,dict"`
	}
	type row2 struct {
		Time    uint32  `parquet:"time"`
		Group   string  `parquet:"group,dict"`
		Drive   uint32  `parquet:"drive,dict"`
		Latency float32 `parquet:"latency_us,dict"`
	}
	at := func(hours int64) *int64 { return new(hours * 3600_000_000) }
	dir := t.TempDir()
	rows := []row{
		{at(1), new("g"), new(int64(7)), new(int64(10)), new(1.5), new("4096")},
		{at(1), new("g"), new(int64(8)), nil, nil, nil},
		{nil, new("g"), new(int64(8)), nil, nil, nil},
		{at(1), nil, new(int64(8)), nil, nil, nil},
		{at(2), new("g"), nil, nil, nil, nil},
		{at(2), new("g"), new(int64(7)), new(int64(-3)), new(2.5), new("many")},
	}
	if err := parquet.WriteFile(filepath.Join(dir, "1.parquet"), rows); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(filepath.Join(dir, "2.parquet"), []row2{{3 * 3600, "g", 7, 3.5}, {3 * 3600, "g", 9, 4.5}}); err != nil {
		t.Fatal(err)
	}
	s := open(t, options(t, ""), dir)
	want := `all 1 g 7 10 1.5 4096
		all 1 g 8 NaN NaN NaN
		all 2 g 7 NaN 2.5 NaN
		all 3 g 7 NaN 3.5 NaN
		all 3 g 9 NaN 4.5 NaN`
	sameLines(t, printed(s.Fleet(), all(t, s)), lines(want))
	f := s.Faults()
	if f.Rows != 3 || f.Values != 2 || len(f.First) != 5 || f.First[0].Line != 3 {
		t.Errorf("faults %+v", f)
	}
}

// TestGroupFromPath reads a tree with a directory for each host.
func TestGroupFromPath(t *testing.T) {
	dir := t.TempDir()
	for _, host := range []string{"h1", "h2"} {
		for day := range 2 {
			var b strings.Builder
			b.WriteString("\"ts\",\"disk_id\",\"throughput\",\"latency\"\n")
			for disk := range 2 {
				for second := 0; second < 3600; second += 900 {
					fmt.Fprintf(&b, "%d,\"disk%d\",1.5,%d\n", 86400*day+second, disk, disk+second/900)
				}
			}
			write(t, dir, fmt.Sprintf("cluster/%s/%d.csv", host, day), b.String())
		}
	}
	s := open(t, options(t, perseusYAML), dir)
	want := `all 0 h1 h1/disk0 NaN 1.5 NaN
		all 0 h1 h1/disk1 NaN 2.5 NaN
		all 0 h2 h2/disk0 NaN 1.5 NaN
		all 0 h2 h2/disk1 NaN 2.5 NaN
		all 24 h1 h1/disk0 NaN 1.5 NaN
		all 24 h1 h1/disk1 NaN 2.5 NaN
		all 24 h2 h2/disk0 NaN 1.5 NaN
		all 24 h2 h2/disk1 NaN 2.5 NaN`
	sameLines(t, printed(s.Fleet(), all(t, s)), lines(want))
	if d := s.Fleet().Drives[0]; d.Kind != study.SSD || len(s.Fleet().Drives) != 4 {
		t.Errorf("fleet %+v", s.Fleet())
	}
}

// perseusYAML describes a file for each host and day. There are no counts of
// requests, so records are alike.
const perseusYAML = `
files: "{cluster}/{host}/*.csv"
time: {column: ts, format: unix}
group: "{host}"
drive: "{host}/{disk_id}"
kind: ssd
ios: none
latency: {column: latency, unit: us}
size: none
`
