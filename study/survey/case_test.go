package survey

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/study"
)

// byHand is one group of five data drives and a parity drive over a hundred
// hours, all alike but for these.
func byHand(t *testing.T, d study.Direction) *study.Findings {
	t.Helper()
	slow := map[int32]map[int32]float32{ // by drive and hour
		3: {10: 3, 11: 3, 12: 3, 20: 2, 60: 1.6, 90: 20},
		2: {11: 2.5},
	}
	f := &study.Fleet{Groups: []string{"a"}, Drives: make([]study.Drive, 6)}
	for i := range f.Drives {
		f.Drives[i] = study.Drive{Kind: study.Disk, Flash: "", Model: "m", Deployed: hour(-8766 + 50)}
	}
	f.Drives[5].Role = study.Parity
	r, err := study.NewReducer(f, study.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	b := study.Batch{Direction: d}
	for h := range int32(100) {
		b.Reset()
		for d := range int32(6) {
			times := float32(1)
			if s := slow[d][h]; s > 0 {
				times = s
			}
			b.Hour, b.Group, b.Drive = append(b.Hour, h), append(b.Group, 0), append(b.Drive, d)
			b.IOs, b.Latency, b.Size = append(b.IOs, 100), append(b.Latency, 100*times), append(b.Size, 4096)
		}
		if err := r.Add(&b); err != nil {
			t.Fatal(err)
		}
	}
	reduction, err := r.Reduction()
	if err != nil {
		t.Fatal(err)
	}
	events := []study.Event{
		{Time: hour(23), Drive: 3, What: study.Replugged},
		{Time: hour(9.5), Drive: 3, What: study.NotResponding},
		{Time: hour(21.5), Drive: 3, What: study.Unplugged},
		{Time: hour(60.2), Drive: 3, What: "smells"},      // 30 hours before the next slow one
		{Time: hour(41), Drive: 2, What: study.Unplugged}, // 30 hours after a slow one
		{Time: hour(81), Drive: 2, What: study.Replugged},
		{Time: hour(1), Drive: 77, What: "lost"},
	}
	out, err := Find(reduction, f, events, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func hour(h float64) time.Time { return time.Unix(int64(math.Round(3600*h)), 0) }

// TestByHand holds figures against what was counted by hand.
func TestByHand(t *testing.T) {
	f := byHand(t, study.All)
	tests := []struct {
		name        string
		part, whole int64
	}{
		{"slow-hours-2", 6, 500},
		{"slow-hours-1.5", 7, 500},
		{"tail-hours-2", 5, 100},
		{"tail-hours-1.5", 6, 100},
		{"second-tail-2", 1, 100},
		{"third-tail-2", 0, 100},
		{"exact-ratios", 4, 500},
		{"exact-tail", 1, 100},
		{"persist-2", 1, 4},
		{"persist-8h-2", 0, 4},
		{"ever-2", 2, 5},
		{"ever-16", 1, 5},
		{"often-2", 0, 2},
		{"seldom-2", 1, 2},
		{"busy-in-slow-2", 0, 6},
		{"complaints-dead-2", 1, 1},
		{"complaints-lead-2", 1, 2},
		{"complaints-near-2", 2, 4},
		{"fall-stable-2", 0, 91},
		{"fall-tail-2", 0, 3},
		{"unplugged-slow", 2, 4},
		{"unplugged-mild", 0, 1},
		{"replugged", 2, 2},
		{"replugged-2h", 1, 2},
		{"replugged-10h", 1, 2},
		{"recur", 0, 1},
		{"hazard-after-slow-2", 2, 6},
		{"hazard-never-2", 2, 323},
	}
	for _, test := range tests {
		if got := figure(t, f.Parts[0], test.name); got.Part != test.part || got.Whole != test.whole {
			t.Errorf("%s: %d of %d, want %d of %d", test.name, got.Part, got.Whole, test.part, test.whole)
		}
	}
	numbers := map[string]float64{
		"again-2": 3.0 / 4, "three-digits": 0, "saved-by-one-2": 4.0 / 5, "saved-by-two-2": 1, "saved-by-own-2": 4.0 / 5,
		// Drives 3 and 2 at their first slow hour, 10 and 11: 4 slow hours saved, and the new drives work for 89 and 88 hours.
		"replace-at-1-2": (4 - 177*6.0/500) / 2,
	}
	for name, want := range numbers {
		if got := figure(t, f.Parts[0], name); math.Abs(got.Number-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got.Number, want)
		}
	}
	if len(f.Warnings) != 3 { // few groups, an event of no drive, and one that is not known
		t.Errorf("warnings %q, want three", f.Warnings)
	}
}

// TestReads has the same records of reads alone, which T16 has no figures of.
func TestReads(t *testing.T) {
	all, reads := byHand(t, study.All).Parts[0], byHand(t, study.Reads).Parts[0]
	a, r := figure(t, all, "slow-hours-2"), figure(t, reads, "slow-hours-2")
	if want := "1.2 % of the drive hours of disks are slow (2× or more) (no confidence interval: only 1 group has such values); in T16: 0.22 %."; a.Sentence != want {
		t.Errorf("%q, want %q", a.Sentence, want)
	}
	if want := "1.2 % of the drive hours of disks (reads) are slow (2× or more) (no confidence interval: only 1 group has such values)."; r.Sentence != want {
		t.Errorf("%q, want %q", r.Sentence, want)
	}
	if reads.Direction != "reads" || len(reads.Figures) != len(all.Figures) {
		t.Errorf("%d figures of %s, want %d of reads", len(reads.Figures), reads.Direction, len(all.Figures))
	}
}

// none stands for no value, and lower is the lower end of a slowdown's bin.
var none = math.NaN()

func lower(slowdown float64) float64 { return study.BinLower(study.NewBinner().Bin(slowdown)) }

// TestTables holds rows of tables against what was counted by hand.
func TestTables(t *testing.T) {
	p := byHand(t, study.All).Parts[0]
	tests := []struct {
		table, row string
		want       []float64
	}{
		{"slowdowns", "3×", []float64{4.0 / 500, 4.0 / 100, 0, 0}},
		{"hazard-since-2", "1", []float64{6, 2, 2.0 / 6}},
		{"hazard-since-2", "7 to 12", []float64{2 + 6 + 3 + 6, 1, 1.0 / 17}},
		{"hazard-since-2", "49 to 168", []float64{22 + 40, 1, 1.0 / 62}},
		{"hazard-often-2", "0", []float64{323, 2, 2.0 / 323}},
		{"hazard-often-2", "2 to 4", []float64{1 + 8 + 70, 3, 3.0 / 79}},
		{"hazard-lasting-2", "1", []float64{4, 1, 1.0 / 4}},
		{"replacement-2", "1", []float64{2, 2.0 / 5, 4.0 / 6, 2, (4 - 177*6.0/500) / 2, 3.0 / 5, 1.5}},
		{"replacement-2", "2", []float64{1, 1.0 / 5, 3.0 / 6, 3, 3 - 88*6.0/500, 3.0 / 5, 3}},
		{"age", "1", []float64{5, 250, 5.0 / 250, 5.0 / 250, none, lower(3), none}},
		{"age", "2", []float64{5, 250, 2.0 / 250, 1.0 / 250}},
		{"repetitions-2", "5 and more", []float64{1, 0.5}},
		{"runs-2", "8", []float64{0, 3.0 / 4}},
		{"wait-hours", "2 to 4×", []float64{3, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3, 2.0 / 3}},
		{"months", "1970-01", []float64{500, 6.0 / 500, 5.0 / 100}},
		{"hour-of-day", "12", []float64{20, 1.0 / 20}},
	}
	for _, test := range tests {
		row := rowOf(t, p, test.table, test.row)
		for i, want := range test.want {
			if got := row.Values[i]; got.None != math.IsNaN(want) || math.Abs(got.Number-want) > 1e-9 {
				t.Errorf("%s, %s, value %d: %v, want %v", test.table, test.row, i, got.Number, want)
			}
		}
	}
}

func figure(t *testing.T, p *study.Part, name string) study.Figure {
	t.Helper()
	for _, f := range p.Figures {
		if f.Name == name {
			return f
		}
	}
	t.Errorf("%ss have no figure %s", p.Kind, name)
	return study.Figure{}
}

func rowOf(t *testing.T, p *study.Part, table, label string) study.Row {
	t.Helper()
	for _, one := range p.Tables {
		for _, r := range one.Rows {
			if one.Name == table && r.Label == label {
				return r
			}
		}
	}
	t.Fatalf("no row %q in a table %s", label, table)
	return study.Row{}
}

// TestBeyondBins has slowdowns past the last bin: what they are at least is all
// that is told.
func TestBeyondBins(t *testing.T) {
	f := &study.Fleet{Groups: []string{"a"}, Drives: make([]study.Drive, 3)}
	r, err := study.NewReducer(f, study.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for h := range int32(4000) {
		b := &study.Batch{Hour: []int32{h, h, h}, Group: make([]int32, 3), Drive: []int32{0, 1, 2}, IOs: []float32{1, 1, 1}, Latency: []float32{1, 1, 1e9}, Size: []float32{1, 1, 1}}
		if err := r.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	reduction, err := r.Reduction()
	if err != nil {
		t.Fatal(err)
	}
	out, err := Find(reduction, f, nil, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	want := "65182× or more: slowdown that 99.99 % of the drive hours of drives do not exceed"
	if got := figure(t, out.Parts[0], "four-nines").Sentence; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, f := range out.Parts[0].Figures {
		if f.Name == "five-nines" {
			t.Errorf("12,000 drive hours cannot have a percentile 99.999: %s", f.Sentence)
		}
	}
	if got := rowOf(t, out.Parts[0], "cut-2", "none").Values[3].Number; got != 65536 {
		t.Errorf("a full stripe takes %v times as long, want 65536", got)
	}
}
