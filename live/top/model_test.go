package top

import (
	"bytes"
	"encoding/json"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestGrowsIntoVerdict: a drive that becomes ten times slower is the first marked line within three
// seconds, a suspect within a minute and an incident within five, and its line says so.
func TestGrowsIntoVerdict(t *testing.T) {
	w := newWorld(t, 1, 12)
	m := newModel(t, w)
	for range 60 {
		m.Push(w.next())
	}
	w.slow[4] = 10
	name := w.system.Components[4].Name
	first, reached, levels := int64(0), map[Level]int64{}, []Level{}
	for range 300 {
		m.Push(w.next())
		f := m.Frame(0)
		l := &f.Lines[0]
		if l.Name == name && l.IsMarked() && first == 0 {
			first = f.End - begin - 60
		}
		if l.Name == name && reached[l.Level] == 0 {
			reached[l.Level] = f.End - begin - 60
			levels = append(levels, l.Level)
		}
	}
	t.Logf("first line after %d s, levels %v after %v", first, levels, reached)
	if first == 0 || first > 3 {
		t.Errorf("it is the first marked line after %d s, want at most 3", first)
	}
	for level, most := range map[Level]int64{Suspected: 60, Confirmed: 300} {
		if at := reached[level]; at == 0 || at > most {
			t.Errorf("it is at level %v after %d s, want at most %d", level, at, most)
		}
	}
	for i := 1; i < len(levels); i++ {
		if levels[i] < levels[i-1] {
			t.Errorf("levels %v do not grow", levels)
		}
	}
	f := m.Frame(0)
	if f.Incidents != 1 || f.Lines[0].ID == "" || math.Abs(float64(f.Lines[0].Since-begin-60)) > 5 {
		t.Errorf("%d incidents, line %+v", f.Incidents, f.Lines[0])
	}
	last := f.Messages[len(f.Messages)-1]
	if last.ID != f.Lines[0].ID || !strings.Contains(last.Text, " incident "+last.ID+": ") || !strings.Contains(last.Text, name) {
		t.Errorf("last message %q", last.Text)
	}
	e := m.Evidence(name, 0, 100)
	if len(e.Sentences) == 0 || !strings.Contains(e.Sentences[0], f.Lines[0].ID) || len(e.Own) != 100 || !(e.Own[99] > e.High[99]) {
		t.Errorf("evidence %+v", e)
	}
}

// TestHealthy: drives that differ by chance are marked seldom, and never suspected.
func TestHealthy(t *testing.T) {
	w := newWorld(t, 1, 24)
	m := newModel(t, w)
	marked := 0
	for range 600 {
		m.Push(w.next())
		f := m.Frame(0)
		marked += f.Apart
		if f.Suspects+f.Incidents > 0 {
			t.Fatalf("after %d s: %v", f.End-begin, f.Messages)
		}
	}
	t.Logf("%d marks in 600 frames of 24 drives", marked)
	if marked > 60 {
		t.Errorf("%d marks in 600 frames", marked)
	}
}

// TestPast: a frame of the past has the values of that time.
func TestPast(t *testing.T) {
	w := newWorld(t, 1, 8)
	m := newModel(t, w)
	for range 30 {
		m.Push(w.next())
	}
	w.slow[2] = 10
	for range 30 {
		m.Push(w.next())
	}
	name := w.system.Components[2].Name
	now, past := m.Frame(0), m.Frame(begin+25)
	if now.Past || now.Lines[0].Name != name {
		t.Errorf("now %+v", now.Lines[0])
	}
	if !past.Past || past.End != begin+25 || past.Apart != 0 {
		t.Errorf("past frame at %d with %d apart", past.End-begin, past.Apart)
	}
	if early := m.Frame(1); early.End != begin+3 {
		t.Errorf("the earliest frame ends at %d, want the first with a whole look", early.End-begin)
	}
	if e := m.Evidence(name, begin+25, 1000); len(e.Own) != 25 || e.Own[24] > 10 {
		t.Errorf("evidence of the past has %d steps, the last %g ms", len(e.Own), e.Own[len(e.Own)-1])
	}
}

// TestChange: components keep their values and the engine its evidence when a drive is added.
func TestChange(t *testing.T) {
	w := newWorld(t, 1, 8)
	m := newModel(t, w)
	w.slow[2] = 10
	name := w.system.Components[2].Name
	for range 200 {
		m.Push(w.next())
	}
	before := m.Frame(0)
	more := newWorld(t, 1, 9)
	more.now, more.slow = w.now, w.slow
	if err := m.Change(more.system, more.schema); err != nil {
		t.Fatal(err)
	}
	m.Push(more.next())
	after := m.Frame(0)
	if len(after.Lines) != 9 || after.Lines[0].Name != name || after.Lines[0].Level != before.Lines[0].Level || after.Lines[0].Since != before.Lines[0].Since {
		t.Errorf("before %+v, after %+v", before.Lines[0], after.Lines[0])
	}
}

// TestTitleCountsDrives: a network interface has a line, and is not counted as a drive.
func TestTitleCountsDrives(t *testing.T) {
	w := newWorld(t, 1, 8)
	w.system.Components[7].Kind = topology.Interface
	m := newModel(t, w)
	for range 10 {
		m.Push(w.next())
	}
	f := m.Frame(0)
	if title := f.Title(); len(f.Lines) != 8 || !strings.Contains(title, " of 7 ") {
		t.Errorf("%d lines, title %q", len(f.Lines), title)
	}
}

// TestIdle: an idle drive is not compared, and comes last.
func TestIdle(t *testing.T) {
	w := newWorld(t, 1, 6)
	w.idle[0] = true
	m := newModel(t, w)
	for range 10 {
		m.Push(w.next())
	}
	last := m.Frame(0).Lines[5]
	if last.Name != w.system.Components[0].Name || last.Mark != look.Idle || !math.IsNaN(float64(last.Latency)) {
		t.Errorf("%+v", last)
	}
}

// TestPrint: text fits into its width, has no colour, and JSON has the same lines.
func TestPrint(t *testing.T) {
	w := newWorld(t, 1, 20)
	w.slow[7] = 10
	m := newModel(t, w)
	for range 20 {
		m.Push(w.next())
	}
	f := m.Frame(0)
	for _, o := range []TextOptions{{Width: 80}, {Width: 80, ASCII: true}, {Width: 200, All: true}, {Width: 80, Plain: true}} {
		var b bytes.Buffer
		if err := Text(&b, f, o); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if n := len([]rune(line)); n > o.Width && !o.Plain && !strings.HasPrefix(line, "suspect since ") {
				t.Errorf("%d columns: %q", n, line)
			}
			if o.ASCII && strings.ContainsFunc(strings.ReplaceAll(line, "µ", "u"), func(r rune) bool { return r > 127 }) {
				t.Errorf("not ASCII: %q", line)
			}
		}
		if strings.Contains(b.String(), "\x1b") || !strings.Contains(b.String(), w.system.Components[7].Name) {
			t.Errorf("%+v prints\n%s", o, b.String())
		}
		if o.All == strings.Contains(b.String(), "more components (--all") {
			t.Errorf("%+v prints\n%s", o, b.String())
		}
	}
	var b bytes.Buffer
	if err := JSON(&b, f); err != nil {
		t.Fatal(err)
	}
	var read Frame
	if err := json.Unmarshal(b.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if read.Messages == nil || read.Problems == nil {
		t.Errorf("a list without entries is not []: %s", b.String())
	}
	if len(read.Lines) != 20 || read.Lines[0].Name != w.system.Components[7].Name || read.Lines[0].Level != f.Lines[0].Level {
		t.Errorf("%s", b.String())
	}
}

// TestMemory: ten thousand frames take no more memory than the first few thousand.
func TestMemory(t *testing.T) {
	w := newWorld(t, 1, 12)
	m := newModel(t, w)
	rows := 10_000
	if testing.Short() {
		rows = 2 * mostSteps
	}
	heap := func() uint64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	var before uint64
	for i := range rows {
		w.slow[i/500%12] = float64(1 + i/250%2*9) // drives come and go
		m.Push(w.next())
		m.Frame(0)
		if i == mostSteps+200 {
			before = heap()
		}
	}
	after := heap()
	runtime.KeepAlive(m) // the garbage collector must not take what is measured
	t.Logf("%d bytes after %d rows, %d after %d", before, mostSteps+201, after, rows)
	if after > before+1<<20 {
		t.Errorf("memory grew from %d to %d bytes", before, after)
	}
}

// BenchmarkFrame is a row and its frame, without the drawing: the drives of one server, and of many.
func BenchmarkFrame(b *testing.B) {
	for _, size := range [][2]int{{1, 72}, {100, 100}, {1000, 10}, {1, 10_000}, {1000, 100}} {
		b.Run(strconv.Itoa(size[0]*size[1])+"of"+strconv.Itoa(size[0]), func(b *testing.B) {
			w := newWorld(b, size[0], size[1])
			m := newModel(b, w)
			w.slow[7] = 10
			rows := make([]*table.Row, 16)
			for i := range rows {
				rows[i] = w.next()
			}
			end := int64(begin)
			for b.Loop() {
				row := rows[w.random.IntN(len(rows))]
				end++
				row.End = end
				m.Push(row)
			}
		})
	}
}

// TestStanding: a frame lists the present suspects and incidents, as many as it counts, and a component
// of a suspect that is like its peers again says so.
func TestStanding(t *testing.T) {
	w := newWorld(t, 1, 20)
	w.slow[7] = 10
	m := newModel(t, w)
	for range 20 {
		m.Push(w.next())
	}
	if f := m.Frame(0); len(f.Problems) != f.Suspects+f.Incidents || len(f.Problems) != 1 || f.Problems[0].Members != 1 {
		t.Fatalf("%+v, %d suspects, %d incidents", f.Problems, f.Suspects, f.Incidents)
	}
	delete(w.slow, 7)
	for range 4 {
		m.Push(w.next())
	}
	var b bytes.Buffer
	if err := Text(&b, m.Frame(0), TextOptions{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "now 1.0") && !strings.Contains(b.String(), "now 0.9") {
		t.Errorf("no line says that the suspect is like its peers now:\n%s", b.String())
	}
}

// TestPausesMarkNoDrive: a server that pauses has its problem above the table, and none of its drives has a
// mark, because each drive is innocent.
func TestPausesMarkNoDrive(t *testing.T) {
	w := newWorld(t, 3, 4)
	m := newModel(t, w)
	for second := range 600 {
		row := w.next()
		for s := range row.Gauges {
			row.Gauges[s].Known = true
		}
		if phase := second % 30; phase < 2 {
			x := &row.Gauges[1]
			if x.PauseSeconds[table.ByProcess] = 1; phase == 0 {
				x.PausesBegan = 1
			}
		}
		m.Push(row)
	}
	f := m.Frame(0)
	if len(f.Problems) != 1 || f.Problems[0].Members != 0 || !strings.Contains(f.Problems[0].Text, "fs2 pauses again and again") {
		t.Fatalf("problems: %+v", f.Problems)
	}
	for i := range f.Lines {
		if l := &f.Lines[i]; l.Level > NotOdd || l.ID != "" {
			t.Errorf("%s is marked: %+v", l.Name, l)
		}
	}
}

// TestCutNamesAreMarked cuts a name with a sign that is no sign of a line, as ~ is.
func TestCutNamesAreMarked(t *testing.T) {
	if got, want := fit("fs1/sdg", 6), "</sdg "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
