package cluster_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// rules decide which incidents a version of limpet finds, and how long each lasts.
type rules struct {
	name  string
	opens func(record int) []string
	lasts int // records
}

var (
	oldRules = rules{"old", func(n int) []string {
		if n%5 == 0 {
			return []string{fmt.Sprint("i", n)}
		}
		return nil
	}, 12}
	// newRules do not find i25, find three more, and end every incident earlier.
	newRules = rules{"new", func(n int) []string {
		switch n {
		case 7, 24, 38:
			return []string{fmt.Sprint("more", n)}
		case 25:
			return nil
		}
		return oldRules.opens(n)
	}, 8}
)

// judge is a task that opens and ends incidents by the rules of a version.
type judge struct {
	rules
	Taken int
	Since map[string]int // by ID of an open incident: the record that opened it
	lame  bool           // it is killed before it saves
}

func (j *judge) event(id string, change incident.Change) cluster.Event {
	e := cluster.Event{Time: int64(j.Taken), Change: change, Incident: incident.Incident{ID: id, Phase: incident.Active, Onset: finding.Onset{At: int64(j.Since[id])}}}
	if change == incident.Clears {
		e.Incident.Phase, e.Incident.Cleared = incident.Cleared, int64(j.Taken)
	}
	return e
}

func (j *judge) Take(r bus.Record, say func(cluster.Kind, []byte)) error {
	j.Taken = int(r.Seq) // the rules know records by their number
	send := func(id string, change incident.Change) {
		data, err := cluster.Encode(j.event(id, change))
		if err != nil {
			panic(err)
		}
		say(cluster.EventKind, data)
	}
	for _, id := range slices.Sorted(maps.Keys(j.Since)) {
		if j.Taken-j.Since[id] >= j.lasts {
			send(id, incident.Clears)
			delete(j.Since, id)
		}
	}
	say(2, []byte{byte(j.Taken)}) // one output of another kind, as of a command
	for _, id := range j.opens(j.Taken) {
		j.Since[id] = j.Taken
		send(id, incident.Opened)
	}
	return nil
}

func (j *judge) Save() ([]byte, error) {
	if j.lame {
		return nil, errKilled
	}
	return json.Marshal(j)
}

func (j *judge) View() ([]byte, error) { return nil, nil }

func (j *judge) OpenIncidents() (row int64, list []cluster.Event) {
	for _, id := range slices.Sorted(maps.Keys(j.Since)) {
		list = append(list, j.event(id, ""))
	}
	return int64(j.Taken), list
}

// newJudge returns Replica.New for tasks with some rules. The last task is stored in *last.
func newJudge(r rules, last **judge, lame bool) func([]byte) (cluster.Task, error) {
	return func(saved []byte) (cluster.Task, error) {
		j := &judge{rules: r, Since: map[string]int{}, lame: lame}
		*last = j
		if saved == nil {
			return j, nil
		}
		return j, json.Unmarshal(saved, j)
	}
}

// lines lists the events of a log as "record change ID", and the number of outputs of the other kind by
// record.
func lines(t *testing.T, out bus.Log) (events []string, others map[byte]int) {
	t.Helper()
	others = map[byte]int{}
	last, err := out.Last(t.Context(), "adder")
	if err != nil {
		t.Fatal(err)
	}
	r, err := out.Read(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for number := uint64(0); ; {
		one, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := cluster.ParseOutput(one)
		if err != nil {
			t.Fatal(err)
		}
		if s.Kind != cluster.ClaimKind {
			if number++; s.Number != number {
				t.Fatalf("output %d has the number %d", number, s.Number)
			}
		}
		switch s.Kind {
		case cluster.EventKind:
			e, err := cluster.Decode[cluster.Event](s.Data)
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, fmt.Sprint(e.Time, " ", e.Change, " ", e.Incident.ID))
		case 2:
			others[s.Data[0]]++
		}
		if one.Seq == last.Seq {
			return events, others
		}
	}
}

// checkEvents fails if an incident is opened while it is open or ended while it is over, or if the log
// has not the open incidents of the task in the end.
func checkEvents(t *testing.T, events []string, j *judge) {
	t.Helper()
	open := map[string]bool{}
	for _, line := range events {
		f := strings.Fields(line)
		change, id := incident.Change(f[1]), f[2]
		if opens := change != incident.Clears; opens == open[id] {
			t.Fatalf("%q is told when the incident is open: %t\n%q", line, open[id], events)
		}
		open[id] = change != incident.Clears
	}
	maps.DeleteFunc(open, func(_ string, is bool) bool { return !is })
	if got, want := slices.Sorted(maps.Keys(open)), slices.Sorted(maps.Keys(j.Since)); !slices.Equal(got, want) {
		t.Fatalf("open in the log: %q, want %q\n%q", got, want, events)
	}
}

// appendRecords appends records to the input, at different times.
func appendRecords(t *testing.T, in bus.Log, n int) {
	t.Helper()
	for range n {
		if err := in.Append(t.Context(), bus.Record{Subject: "x", Data: []byte{0}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Microsecond)
	}
}

// runTo runs a replica until its task has taken a record, or until it is killed.
func runTo(t *testing.T, s cluster.Replica, fence, record uint64, last **judge) error {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s.ShowEvery = time.Millisecond
	of := s.New
	s.New = func(saved []byte) (cluster.Task, error) {
		_, err := of(saved)
		if err != nil {
			return nil, err
		}
		return &stopAfter{(*last), record, stop}, nil
	}
	return s.Run(ctx, fence)
}

// stopAfter stops a replica when its task waits after a record.
type stopAfter struct {
	*judge
	record uint64
	stop   func()
}

func (s *stopAfter) View() ([]byte, error) {
	if uint64(s.Taken) >= s.record {
		s.stop()
	}
	return nil, nil
}

// TestOtherOutput: the older node was killed after it had processed more records than its saved state
// includes. The newer node reads the state, and finds other incidents in these records. Nothing is told
// twice, what only the newer version finds is told, and what it does not find is ended.
func TestOtherOutput(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Minute)
	in, out := open(t, b, "in"), open(t, b, "out")
	appendRecords(t, in, 20)
	var j *judge
	s := spec(b, in, out)
	s.New = newJudge(oldRules, &j, false)
	if err := runTo(t, s, 1, 20, &j); err != nil {
		t.Fatal(err)
	}
	appendRecords(t, in, 10)
	s.New = newJudge(oldRules, &j, true)
	if err := runTo(t, s, 2, 30, &j); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	before, _ := lines(t, out)
	s.New = newJudge(newRules, &j, false)
	appendRecords(t, in, 10)
	if err := runTo(t, s, 3, 40, &j); err != nil {
		t.Fatal(err)
	}
	events, others := lines(t, out)
	checkEvents(t, events, j)
	want := []string{"24 opened more24", "28 cleared i20", "30 cleared i25", "32 cleared more24", "35 opened i35", "38 cleared i30", "38 opened more38", "40 opened i40"}
	if got := events[len(before):]; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for record := byte(1); record <= 40; record++ {
		if others[record] != 1 {
			t.Errorf("%d outputs of record %d", others[record], record)
		}
	}
}

// TestKilledWhileQuiet: the newer node cannot read the saved state and makes the output again. It is
// killed again and again meanwhile, after any output and with any saved state. It tells the same events
// as a node that was not killed.
func TestKilledWhileQuiet(t *testing.T) {
	unreadable := func(f func([]byte) (cluster.Task, error)) func([]byte) (cluster.Task, error) {
		return func(saved []byte) (cluster.Task, error) {
			if strings.HasPrefix(string(saved), "old") {
				return nil, errors.New("another form")
			}
			return f(saved)
		}
	}
	rng := rand.New(rand.NewPCG(38, 3))
	var want []string
	for round := range 60 {
		b := bus.NewLocal(time.Now, time.Minute)
		in, out := open(t, b, "in"), open(t, b, "out")
		appendRecords(t, in, 20)
		var j *judge
		older := spec(b, in, out)
		older.New = newJudge(oldRules, &j, false)
		old := &oldForm{Blobs: b.Blobs}
		older.Blobs = old
		if err := runTo(t, older, 1, 20, &j); err != nil {
			t.Fatal(err)
		}
		appendRecords(t, in, 10)
		older.New = newJudge(oldRules, &j, true)
		if err := runTo(t, older, 2, 30, &j); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		appendRecords(t, in, 20)
		for fence := uint64(3); ; fence++ {
			kills := 1 << 20
			if round > 0 {
				kills = 1 + rng.IntN(12)
			}
			s := spec(b, in, &limited{out, kills})
			if rng.IntN(2) == 0 {
				s.SaveEvery = time.Hour
			}
			lame := round > 0 && rng.IntN(3) == 0
			s.New = unreadable(newJudge(newRules, &j, lame))
			until := uint64(50)
			if round > 0 && fence < 20 { // it may also stop without a kill, in the middle
				until = uint64(1 + rng.IntN(60))
			}
			err := runTo(t, s, fence, min(until, 50), &j)
			if err == nil && j.Taken == 50 {
				break
			}
			if err != nil && !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
		}
		events, others := lines(t, out)
		checkEvents(t, events, j)
		for i, line := range events { // its end is the row before the first record that has no output in the log
			if strings.HasSuffix(line, " cleared i25") {
				events[i] = "cleared i25"
			}
		}
		for record := byte(1); record <= 50; record++ {
			if others[record] != 1 {
				t.Errorf("round %d: %d outputs of record %d", round, others[record], record)
			}
		}
		slices.Sort(events) // a replica that begins anew twice tells the end of an incident later; checkEvents checks the order of each incident
		if round == 0 {
			want = events
			if len(want) < 15 || !slices.Contains(want, "7 opened more7") || !slices.Contains(want, "24 opened more24") || !slices.Contains(want, "cleared i25") {
				t.Fatalf("%q", want)
			}
		}
		if !slices.Equal(events, want) {
			t.Fatalf("round %d: %q\nwant %q", round, events, want)
		}
	}
}

// oldForm are blobs in which the states of tasks have a form that newer tasks do not read.
type oldForm struct{ bus.Blobs }

func (o *oldForm) Put(ctx context.Context, name string, data []byte) error {
	s, err := cluster.Decode[struct {
		Seq, Number uint64
		State       []byte
	}](data)
	if err == nil {
		s.State = append([]byte("old"), s.State...)
		data, err = cluster.Encode(s)
	}
	if err != nil {
		return err
	}
	return o.Blobs.Put(ctx, name, data)
}

func (o *oldForm) Get(ctx context.Context, name string) ([]byte, error) {
	data, err := o.Blobs.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	s, err := cluster.Decode[struct {
		Seq, Number uint64
		State       []byte
	}](data)
	if err != nil {
		return nil, err
	}
	s.State = []byte(strings.TrimPrefix(string(s.State), "old"))
	return cluster.Encode(s)
}

// TestVersionsInTurn: nodes of two versions, which read the states of each other, are killed in turn.
// In the end the log has the open incidents of the task, and no incident is opened or ended twice.
func TestVersionsInTurn(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 4))
	for round := range 100 {
		b := bus.NewLocal(time.Now, time.Minute)
		in, out := open(t, b, "in"), open(t, b, "out")
		var j *judge
		sent := uint64(0)
		for fence := uint64(1); ; fence++ {
			last := fence > 25
			if more := rng.IntN(6); sent < 60 && !last {
				appendRecords(t, in, more)
				sent += uint64(more)
			}
			kills := 1 + rng.IntN(20)
			if last {
				kills = 1 << 20
				if fence == 26 {
					appendRecords(t, in, 5) // after all records with output of other versions
					sent += 5
				}
			}
			if sent == 0 {
				continue
			}
			s := spec(b, in, &limited{out, kills})
			if rng.IntN(2) == 0 {
				s.SaveEvery = time.Hour
			}
			of := oldRules
			if rng.IntN(2) == 0 {
				of = newRules
			}
			s.New = newJudge(of, &j, rng.IntN(2) == 0 && !last)
			until := sent
			if !last {
				until = 1 + rng.Uint64N(sent)
			}
			err := runTo(t, s, fence, until, &j)
			if err != nil && !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if last && err == nil {
				break
			}
		}
		events, others := lines(t, out)
		if t.Failed() {
			t.Fatal("round", round)
		}
		checkEvents(t, events, j)
		for record := uint64(1); record <= sent; record++ {
			if others[byte(record)] != 1 {
				t.Fatalf("round %d: %d outputs of record %d", round, others[byte(record)], record)
			}
		}
	}
}

// TestNewerSnapshot: a snapshot of a newer version is left to nodes of that version.
func TestNewerSnapshot(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Minute)
	in, out := open(t, b, "in"), open(t, b, "out")
	data, err := cluster.Encode(struct {
		Version int
		Seq     uint64
	}{2, 7})
	if err == nil {
		err = b.Blobs.Put(t.Context(), "state.adder", data)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := spec(b, in, out).Run(t.Context(), 1); !errors.Is(err, engine.ErrNewer) || !strings.Contains(err.Error(), "nodes with a newer version of limpet run this partition") {
		t.Error(err)
	}
}
