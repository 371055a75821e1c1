package replay

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

func all(t *testing.T, s Source) (records []Record) {
	t.Helper()
	for {
		r, err := s.Next()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
}

func TestReader(t *testing.T) {
	for _, test := range []struct {
		name string
		in   []string
		want []Record
	}{
		{
			"blkparse",
			[]string{
				"  8,0    3        1     5.000000000   697  G   R 223490 + 8 [kjournald]",
				"  8,0    3        2     5.000000000   697  Q   R 2048 + 8 [kjournald]",
				"  8,0    1        3     5.001000000     0  C   R 2048 + 8 [0]",
				"  8,0    1        4     5.002000000   697  Q  WS 4096 + 1024 [dd]",
				"  8,0    1        5     5.003000000   697  Q  RA 0 + 1 [a program]",
				"  8,0    1        6     5.004000000   697  Q  DS 0 + 1 [fstrim]",
				"  8,0    1        7     5.004000000   697  Q FWS [jbd2]",
				"  8,0    1        8     5.004000000   697  P   N [dd]",
				"CPU0 (8,0):",
				" Reads Queued:           2,        8KiB\t Writes Queued:           0,        0KiB",
				"",
				"Total (8,0):",
				" Reads Queued:           2,        8KiB\t Writes Queued:           0,        0KiB",
				"Throughput (R/W): 0KiB/s / 0KiB/s",
				"Events (8,0): 8 entries",
				"Skips: 0 forward (0 -   0.0%)",
			},
			[]Record{{0, 1 << 20, 4096, false}, {2 * ms, 2 << 20, 1 << 19, true}, {3 * ms, 0, 512, false}},
		},
		{
			"msr",
			[]string{
				"128166372003061629,usr,0,Read,7014609920,24576,41286",
				"128166372003071629,usr,0,Write,512,4096,400",
			},
			[]Record{{0, 7014609920, 24576, false}, {ms, 512, 4096, true}},
		},
		{
			"csv",
			[]string{"seconds,op,offset,bytes", "1.5,R,0,4096", "", "1.5005,w,8192,1"},
			[]Record{{0, 0, 4096, false}, {500 * time.Microsecond, 8192, 1, true}},
		},
		{"csv without header", []string{"-3,R,1,2"}, []Record{{0, 1, 2, false}}},
		{"empty", nil, nil},
	} {
		r, err := NewReader(test.name, strings.NewReader(strings.Join(test.in, "\n")), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := all(t, r); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n got %v\nwant %v", test.name, got, test.want)
		}
		if n, places := r.Malformed(); n > 0 {
			t.Errorf("%s: %d malformed: %v", test.name, n, places)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, test := range []struct {
		format Format
		line   string
		want   string
	}{
		{readTraceCSV, "1,R,0", "3 fields"},
		{readTraceCSV, "x,R,0,1", `time "x"`},
		{readTraceCSV, "NaN,R,0,1", `time "NaN"`},
		{readTraceCSV, "1e300,R,0,1", "time"},
		{readTraceCSV, "1,X,0,1", `operation "X"`},
		{readTraceCSV, "1,R,-1,1", `the offset cannot be read: "-1" is not`},
		{readTraceCSV, "1,R,9223372036854775807,1", "negative or too large"},
		{readTraceCSV, "1,R,0,0", "the length of the request is 0 bytes"},
		{readTraceCSV, "1,R,0," + strings.Repeat("1", maxLine), "longer than 65536 bytes"},
		{readTraceCSV, "1,R,0,9223372036854775807", "but a block device accepts at most 67108864 bytes at once"},
		{readMSR, "1,h,0,Read,0,1", "6 fields"},
		{readMSR, "-1,h,0,Read,0,1,1", `time "-1"`},
		{readMSR, "1,h,0,Scan,0,1,1", `operation "Scan"`},
		{readMSR, "1,h,0,Read,0,x,1", `the length cannot be read: "x" is not`},
		{readBlkparse, "what is this", `"what" is not a device`},
		{readBlkparse, "8,0 3 1 0.5 697 Q", "too few fields"},
		{readBlkparse, "8,0 3 1 0.5 697 Q R 8", "no sector"},
		{readBlkparse, "8,0 3 1 zero 697 Q R 8 + 8 [x]", `time "zero"`},
		{readBlkparse, "8,0 3 1 0.5 697 Q R 8 + -8 [x]", `the length cannot be read: "-8" is not`},
		{readBlkparse, "8,0 3 1 0.5 697 Q R 9223372036854775807 + 8 [x]", "offset"},
	} {
		good := map[Format]string{
			readTraceCSV: "1,R,0,1", readMSR: "128166372003061629,usr,0,Read,0,1,1", readBlkparse: "8,0 3 1 0.5 697 Q R 8 + 8 [x]",
		}[test.format]
		r, err := NewReader("t", strings.NewReader(good+"\n"+test.line+"\n"+good+"\n"), test.format)
		if err != nil {
			t.Fatal(err)
		}
		if got := all(t, r); len(got) != 2 {
			t.Errorf("%.60s: %d good lines read, want 2", test.line, len(got))
		}
		n, places := r.Malformed()
		if n != 1 || !strings.HasPrefix(places[0], "t:2: ") || !strings.Contains(places[0], test.want) {
			t.Errorf("%.60s: %d malformed, %v, want %q", test.line, n, places, test.want)
		}
	}
}

func TestManyMalformed(t *testing.T) {
	r, err := NewReader("t", strings.NewReader(strings.Repeat("?\n", 1000)), readTraceCSV)
	if err != nil {
		t.Fatal(err)
	}
	all(t, r)
	if n, places := r.Malformed(); n != 1000 || len(places) != maxPlaces {
		t.Errorf("%d malformed, %d places", n, len(places))
	}
}

func TestBackwards(t *testing.T) {
	r, err := NewReader("t", strings.NewReader("5,R,0,1\n7,R,0,1\n6,R,0,1\n4,R,0,1\n8,R,0,1\n"), readTraceCSV)
	if err != nil {
		t.Fatal(err)
	}
	var at []time.Duration
	for _, rec := range all(t, r) {
		at = append(at, rec.At/time.Second)
	}
	if want := []time.Duration{0, 2, 2, 2, 3}; !reflect.DeepEqual(at, want) || r.Backwards() != 2 {
		t.Errorf("got %v, %d backwards, want %v", at, r.Backwards(), want)
	}
}

func TestUnknownFormat(t *testing.T) {
	for _, test := range []struct {
		format Format
		in     string
	}{{"pcap", ""}, {"", "hello world\n"}} {
		if _, err := NewReader("t", strings.NewReader(test.in), test.format); err == nil {
			t.Errorf("%q, %q: no error", test.format, test.in)
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("gone") }

func TestReadError(t *testing.T) {
	r, err := NewReader("t", io.MultiReader(strings.NewReader("1,R,0,1\n"), broken{}), readTraceCSV)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "t:2: gone") {
		t.Errorf("got %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add("seconds,op,offset,bytes\n0.5,R,0,4096\n", "")
	f.Add("128166372003061629,usr,0,Read,7014609920,24576,41286\n", "msr")
	f.Add("8,0 3 1 0.5 697 Q R 8 + 8 [x]\nCPU0 (8,0):\n x\n", "blkparse")
	f.Fuzz(func(t *testing.T, text, format string) {
		r, err := NewReader("t", strings.NewReader(text), Format(format))
		if err != nil {
			return
		}
		var last time.Duration
		records := all(t, r)
		for i, rec := range records {
			if i == 0 && rec.At != 0 || rec.At < last || rec.Length <= 0 || rec.Offset < 0 || rec.Offset+rec.Length < 0 {
				t.Fatalf("record %d is %+v, after %v", i, rec, last)
			}
			last = rec.At
		}
		if n, _ := r.Malformed(); n+len(records) > strings.Count(text, "\n")+1 {
			t.Fatalf("%d records and %d malformed lines in %q", len(records), n, text)
		}
	})
}
