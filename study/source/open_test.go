package source

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"

	"github.com/limpet-storage/limpet/study"
)

const oneRecord = "time,group,drive,latency_us\n3600,g,a,1\n"

func TestOpenRefuses(t *testing.T) {
	tests := map[string]struct {
		description string
		name, text  string
		want        string
	}{
		"no records":        {"", "a.txt", "x", "no file under"},
		"empty":             {"", "a.csv", "", "a.csv: the CSV data cannot be read: the file is empty"},
		"header alone":      {"", "a.csv", "time,group,drive,latency_us\n", "a.csv: the file has no records; name another file"},
		"milliseconds":      {"", "a.csv", "time,group,drive,latency_us\n1767225600000,g,a,1\n", `a.csv:2: "1767225600000" in column time is not a time; write the format of the time, probably unix_ms`},
		"no such column":    {"", "a.csv", "time,group,disk,latency_us\n3600,g,a,1\n", `there is no column drive; the file has the columns time, group, disk, latency_us`},
		"no latency":        {"", "a.csv", "time,group,drive\n3600,g,a\n", `no column latency_us`},
		"named but not":     {"ios: iops", "a.csv", oneRecord, `no column iops`},
		"twice":             {"", "a.csv", "time,group,drive,drive,latency_us\n3600,g,a,b,1\n", `column drive is listed twice`},
		"no time at all":    {"", "a.csv", "time,group,drive,latency_us\nx,g,a,1\ny,g,a,1\n", `none of the 2 rows can be read; the first error is`},
		"cut off":           {"", "a.csv", "\x1f\x8b\x08\x00", "the gzip data cannot be read"},
		"no Parquet":        {"", "a.parquet", "PAR1 and no more", "the Parquet data cannot be read"},
		"empty Parquet":     {"", "a.parquet", "", "a.parquet: the Parquet data cannot be read: the file is empty"},
		"junk as Parquet":   {"", "a.parquet", oneRecord, "a.parquet: the Parquet data cannot be read: the start of the file is not the start of a Parquet file: check the format of the file"},
		"damaged Parquet":   {"", "a.parquet", damaged(t), "a.parquet: the Parquet data cannot be read"},
		"pattern":           {"files: \"*.tsv\"", "a.csv", oneRecord, "Correct the setting \"files\" in the description file"},
		"too many of names": {"drive: \"{a}{b}{c}{d}{e}{f}{g}{h}{i}\"", "a.csv", "time,group,a,b,c,d,e,f,g,h,i,latency_us\n3600,g,1,2,3,4,5,6,7,8,9,6\n", "the name of a component consists of 9 columns; use at most 8"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tt.name, tt.text)
			_, err := Open(t.Context(), []string{dir}, options(t, tt.description))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := Open(t.Context(), []string{"/no/such/place"}, DefaultOptions()); err == nil || !strings.HasPrefix(err.Error(), "/no/such/place: ") {
		t.Errorf("got %v", err)
	}
	if _, err := Open(t.Context(), nil, Options{}); err == nil || !strings.Contains(err.Error(), "the setting workers must be ") {
		t.Errorf("got %v", err)
	}
}

// damaged is a Parquet file with a footer that can be read and pages that
// cannot.
func damaged(t *testing.T) string {
	t.Helper()
	type row struct {
		Time    int64   `parquet:"time"`
		Group   string  `parquet:"group"`
		Drive   string  `parquet:"drive"`
		Latency float64 `parquet:"latency_us"`
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, []row{{3600, "g", "a", 1}, {7200, "g", "a", 1}}); err != nil {
		t.Fatal(err)
	}
	for i := range b.Bytes()[4:40] {
		b.Bytes()[4+i] = 0xff
	}
	return b.String()
}

// TestNowhere says of how many files none has a record.
func TestNowhere(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "b.csv", "c.csv"} {
		write(t, dir, name, "time,group,drive,latency_us\n")
	}
	_, err := Open(t.Context(), []string{dir}, options(t, ""))
	if err == nil || !strings.Contains(err.Error(), "a.csv: this file and 2 other files have no records; name other files") {
		t.Errorf("got %v", err)
	}
}

// TestWarnings lists what is odd about a directory.
func TestWarnings(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "records/a.csv", "time,group,drive,role,latency_us\n3600,g,a,data,1\n3600,g,b,parity,1\n3600,g,c,data,1\n7200,g,c,parity,1\n")
	write(t, dir, "records/notes.txt", "x")
	write(t, dir, "inventory.csv", "drive,kind,deployed\na,hdd,2024-01-01\nb,tape,soon\na,ssd,2025-01-01\nz,ssd,\n")
	write(t, dir, "events.csv", "time,drive,event\n3700,a,Unplugged\n3600,a,head crash\n3700,nobody,unplugged\nnever,a,unplugged\n")
	s := open(t, options(t, ""), dir)
	var got []string
	for _, w := range s.Warnings() {
		got = append(got, strings.ReplaceAll(w.String(), dir+"/", ""))
	}
	sameLines(t, got, lines(`limpet left out 1 file, because no pattern matches; the first file is records/notes.txt. If a pattern should match, correct the setting "files" in the description file
		the records name 1 drive that the inventory does not list; the first drive is c. Add these drives to the inventory
		the inventory lists 1 drive more than once; the first drive is a. Only the first line of a drive counts: remove the other lines
		the inventory has 1 drive of unknown kind; the first unknown kind is tape. Write disk or ssd
		limpet left out 1 event, because the drive is unknown; the first unknown drive is nobody. Correct the setting "drive" under "events" in the description file
		some rows give 1 drive the role data, and other rows the role parity; the first drive is c. limpet counts these drives as data drives: give an inventory with roles
		the inventory has 1 row with errors: correct the rows; the first error is in line 3: "soon" in column deployed is not a time
		the table of events has 1 row with errors: correct the rows; the first error is in line 5: "never" in column time is not a time; write the format or the time zone of the time`))
	if e := s.Events(); len(e) != 2 || e[0].What != "head crash" || e[1].What != study.Unplugged {
		t.Errorf("events %v", e)
	}
	f := s.Fleet()
	if len(f.Drives) != 4 || f.Drives[0].Kind != study.Disk || f.Drives[1].Role != study.Parity || f.Drives[2].Role != study.Data || f.Drives[3].Kind != study.SSD {
		t.Errorf("fleet %+v", f)
	}
}

// TestEventWords reads a log that calls things by other names.
func TestEventWords(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "records.csv", oneRecord)
	write(t, dir, "events.csv", "when,slot,host,msg\n01/01/1970 02:00,1,a,Pulled\n01/01/1970 03:00,1,a,back\n")
	s := open(t, options(t, `
events:
  {time: when, format: "%d/%m/%Y %H:%M", zone: Europe/Berlin, drive: "{host}", event: msg,
   words: {unplugged: pulled, replugged: [back, inserted]}}`), dir)
	e := s.Events()
	if len(e) != 2 || e[0].What != study.Unplugged || e[1].What != study.Replugged || e[0].Time.Unix() != 3600 {
		t.Errorf("events %v", e)
	}
}

// TestBroken uses what can be read of damaged files, and of the others.
func TestBroken(t *testing.T) {
	var text strings.Builder
	text.WriteString("time,group,drive,latency_us\n")
	for hour := range 40_000 {
		fmt.Fprintf(&text, "%d,g,a,%d\n", 3600*hour, hour*7919%10007)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(text.String()))
	w.Close()
	dir := t.TempDir()
	write(t, dir, "cut.csv.gz", packed.String()[:packed.Len()/2])
	write(t, dir, "no.parquet", "PAR1 and no more")
	write(t, dir, "good.csv", "time,group,drive,latency_us\n360000000,g,b,1\n")
	s := open(t, options(t, ""), dir)
	rows := all(t, s)
	if n := len(rows); n < 10_000 || n > 30_000 || rows[n-1].hour != 100_000 {
		t.Errorf("%d rows", n)
	}
	if w := s.Warnings(); len(w) != 1 || !strings.Contains(w[0].Text, "no.parquet: the Parquet data cannot be read") {
		t.Errorf("warnings %v", w)
	}
	if b := s.Faults().Broken; len(b) != 1 || !strings.Contains(b[0].Text, "cut.csv.gz: the gzip data cannot be read: unexpected EOF") {
		t.Errorf("broken %v", b)
	}
}
