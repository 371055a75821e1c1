package plan

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

const wireSite = "servers: fs[1-3]\ndrives:\n  - {devices: 'sd[a-d]', peers: all}\n"

func world(tb testing.TB) (*topology.System, table.Schema) {
	tb.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(wireSite))
	if err != nil {
		tb.Fatal(err)
	}
	return s, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: len(s.Components), Servers: len(s.Servers), Load: 0, Latencies: true}
}

// rows returns rows with values, gaps, requests, upkeep and servers that are not heard.
func rows(schema table.Schema, n int) (list []*table.Row) {
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range n {
		r := table.NewRow(schema)
		r.End = int64(1500 + 15*i)
		for s := range r.Heard {
			r.Heard[s] = rng.IntN(5) > 0
		}
		for m := range r.Values {
			for c := range r.Values[m] {
				if rng.IntN(4) > 0 {
					r.Values[m][c] = rng.Float64()
				}
			}
		}
		r.Upkeep[i%schema.Components] = table.Rebuilding
		if s := i % len(r.Gauges); r.Heard[s] {
			r.Gauges[s].Clients = []table.ClientTraffic{{Name: "c1", BytesPerSecond: float64(i)}}
		}
		r.LatencyOf(rng.IntN(schema.Components))[0].Bytes = uint64(i + 1)
		list = append(list, r)
	}
	return list
}

// text prints a row, missing values included.
func text(r *table.Row) string {
	out := fmt.Sprint(r.End, r.Heard, r.Values)
	for c, work := range r.Upkeep {
		if work != table.NoWork {
			out += fmt.Sprintf(" %d:%d", c, work)
		}
	}
	for s := range r.Gauges {
		if clients := r.Gauges[s].Clients; clients != nil {
			out += fmt.Sprint(" ", s, clients)
		}
	}
	for _, l := range r.Latency {
		if l != nil && l[0].Bytes > 0 {
			out += fmt.Sprint(" ", l[0].Bytes)
		}
	}
	return out
}

// joined passes messages to a join, a millisecond apart, and lists the resulting rows.
func joined(tb testing.TB, j *Join, messages [][]byte) (list []string) {
	tb.Helper()
	for i, m := range messages {
		if err := j.Take(m, time.Unix(1000, int64(i)*1e6), func(r *table.Row) { list = append(list, text(r)) }); err != nil {
			tb.Fatal(err)
		}
	}
	return list
}

func cut(s *topology.System, schema table.Schema, rows []*table.Row) (messages [][]byte) {
	c := NewCut(0, s, schema)
	for _, r := range rows {
		for at := range s.Servers {
			messages = append(messages, c.Step(r, at, at))
		}
	}
	return messages
}

// TestThereAndBack: rows that are cut and joined are unchanged, in any order of servers, with steps
// that come twice, and with a join that is saved and restored between any two messages.
func TestThereAndBack(t *testing.T) {
	s, schema := world(t)
	all := rows(schema, 40)
	var want []string
	for _, r := range all {
		want = append(want, text(r))
	}
	inOrder := cut(s, schema, all)
	byServer := func() (list [][]byte) { // one server after the other
		for at := range s.Servers {
			for i := at; i < len(inOrder); i += len(s.Servers) {
				list = append(list, inOrder[i])
			}
		}
		return list
	}()
	twice := slices.Concat(inOrder[:60], inOrder[30:])
	for name, messages := range map[string][][]byte{"in order": inOrder, "by server": byServer, "twice": twice} {
		if got := joined(t, NewJoin(0, s, schema, time.Hour), messages); !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, want %d:\n%v\n%v", name, len(got), len(want), got[0], want[0])
		}
	}
	j := NewJoin(0, s, schema, time.Hour)
	var got []string
	for i, m := range byServer {
		data, err := j.Save()
		if err != nil {
			t.Fatal(err)
		}
		j = NewJoin(0, s, schema, time.Hour)
		if err := j.Restore(data); err != nil {
			t.Fatal(err)
		}
		if err := j.Take(m, time.Unix(1000, int64(i)*1e6), func(r *table.Row) { got = append(got, text(r)) }); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("saved: %d rows, want %d", len(got), len(want))
	}
}

// TestSilentServer: a silent server is waited for, for a limited time. When it is back, its earlier
// steps are too late.
func TestSilentServer(t *testing.T) {
	s, schema := world(t)
	messages := cut(s, schema, rows(schema, 30))
	var silent [][]byte
	for i, m := range messages {
		if row, at := i/3, i%3; at != 2 || row < 10 || row >= 25 {
			silent = append(silent, m)
		}
	}
	j := NewJoin(0, s, schema, 12*time.Millisecond)
	got := joined(t, j, silent)
	if len(got) != 30 {
		t.Errorf("%d rows, want 30", len(got))
	}
	late := j.Late
	if again := joined(t, j, [][]byte{messages[3*12+2]}); len(again) != 0 || j.Late != late+1 {
		t.Errorf("a step of long ago makes %d rows, and %d were late", len(again), j.Late)
	}
}

// TestOtherMessages: a message that is no step of these servers is refused and changes nothing.
func TestOtherMessages(t *testing.T) {
	s, schema := world(t)
	good := cut(s, schema, rows(schema, 1))[0]
	far := slices.Clone(good)
	far[1] = 9
	version := slices.Clone(good)
	version[0] = 7
	ahead, before := slices.Clone(good), slices.Clone(good)
	binary.LittleEndian.PutUint64(ahead[headBytes:], uint64(time.Now().Add(2*maxAhead).Unix()))
	binary.LittleEndian.PutUint64(before[headBytes:], 1<<63)
	for name, m := range map[string][]byte{
		"nothing": nil, "cut": good[:30], "another server": far, "another version": version, "a step of next week": ahead, "a step before all time": before,
	} {
		if err := NewJoin(0, s, schema, time.Hour).Take(m, time.Now(), func(*table.Row) { t.Error("a row is made") }); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func FuzzJoin(f *testing.F) {
	s, schema := world(f)
	for _, m := range cut(s, schema, rows(schema, 2)) {
		f.Add(m)
	}
	f.Fuzz(func(_ *testing.T, m []byte) {
		_ = NewJoin(0, s, schema, 0).Take(m, time.Unix(1, 0), func(*table.Row) {})
	})
}

// TestChange: a join continues with another system, matched by names. Incomplete rows keep their
// values. Steps of a node that has not seen the change still count. A removed server is not
// waited for.
func TestChange(t *testing.T) {
	s, schema := world(t)
	next, _, err := topology.Parse("site.yaml", []byte("servers: fs[2-4]\ndrives:\n  - {devices: 'sd[b-d]', peers: all}\n"))
	if err != nil {
		t.Fatal(err)
	}
	after := schema
	after.Components = len(next.Components)
	all := rows(schema, 2)
	for _, name := range []string{"fs2/sdb", "fs3/sdd"} { // before the change, and after it
		c, _ := s.Lookup(name)
		all[0].Upkeep[c] = table.Checking
	}
	messages := cut(s, schema, all) // fs1, fs2 and fs3, twice
	j := NewJoin(0, s, schema, time.Hour)
	var got []*table.Row
	take := func(m []byte) {
		t.Helper()
		if err := j.Take(m, time.Unix(1000, 0), func(r *table.Row) { got = append(got, r) }); err != nil {
			t.Fatal(err)
		}
	}
	take(messages[1])
	if err := j.Take(NewCut(1, next, after).Step(table.NewRow(after), 0, 0), time.Unix(1000, 0), nil); err == nil {
		t.Error("a step of a system that the join was not told of is taken")
	}
	j.Change(1, next, after)
	j.AcceptEarlier(0, s, schema)
	take(messages[0]) // of fs1, which was removed
	take(messages[2])
	fresh := table.NewRow(after)
	fresh.End = all[0].End
	fresh.Heard[2] = true
	newcomer, ok := next.Lookup("fs4/sdc")
	if !ok {
		t.Fatal(next.Components[0].Name)
	}
	fresh.Values[0][newcomer] = 7
	take(NewCut(1, next, after).Step(fresh, 2, 2))
	if len(got) != 1 || got[0].Values[0][newcomer] != 7 || !got[0].Heard[2] {
		t.Fatalf("%d rows: %+v", len(got), got)
	}
	for c, to := range s.PlacesIn(next) {
		if to < 0 {
			continue
		}
		if a, b := all[0].Upkeep[c], got[0].Upkeep[to]; a != b {
			t.Errorf("%s has upkeep %v, and had %v", s.Components[c].Name, b, a)
		}
		for m := range got[0].Values {
			if a, b := all[0].Values[m][c], got[0].Values[m][to]; a != b && (a == a || b == b) {
				t.Errorf("%s has %v in metric %d, and had %v", s.Components[c].Name, b, m, a)
			}
		}
	}
	if got[0].Heard[0] != all[0].Heard[1] || got[0].Heard[1] != all[0].Heard[2] {
		t.Errorf("servers are heard as %v, and were as %v", got[0].Heard, all[0].Heard)
	}
}

// TestUpkeepEnds: a row without upkeep does not inherit the upkeep of the row before it.
func TestUpkeepEnds(t *testing.T) {
	s, schema := world(t)
	all := rows(schema, 2)
	all[1].Upkeep = nil
	j := NewJoin(0, s, schema, time.Hour)
	for _, m := range cut(s, schema, all) {
		if err := j.Take(m, time.Unix(1000, 0), func(r *table.Row) {
			if has := slices.Contains(r.Upkeep, table.Rebuilding); has != (r.End == all[0].End) {
				t.Errorf("at %d the upkeep is %v", r.End, r.Upkeep)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}
