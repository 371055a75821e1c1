package announce

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Trouble is something that a diagnosis suffers from itself: a sentence that says what would
// cure it.
type Trouble struct {
	Kind  string // journal, ledger, history, source, plan, partitions: one of each at a time
	Since time.Time
	Text  string
}

// Troubles are those of now. They may be asked for from any goroutine.
type Troubles struct {
	mu     sync.Mutex
	list   map[string]Trouble
	now    func() time.Time
	report func(string)
}

func newTroubles(now func() time.Time, report func(string)) *Troubles {
	return &Troubles{list: map[string]Trouble{}, now: now, report: report}
}

// Check notes the trouble of a kind, or that there is none any more.
func (t *Troubles) Check(kind string, err error) {
	if err == nil {
		t.Set(kind, "")
		return
	}
	t.Set(kind, err.Error())
}

// Set notes a sentence; an empty one ends the trouble.
func (t *Troubles) Set(kind, text string) {
	t.mu.Lock()
	was, had := t.list[kind]
	switch {
	case text == "":
		delete(t.list, kind)
	case !had:
		t.list[kind] = Trouble{Kind: kind, Since: t.now(), Text: text}
	default:
		t.list[kind] = Trouble{Kind: kind, Since: was.Since, Text: text}
	}
	t.mu.Unlock()
	switch {
	case text == "" && had:
		t.report(kind + ": all is well again")
	case text != "" && was.Text != text:
		t.report(kind + ": " + text)
	}
}

// All lists the troubles of now by their kinds.
func (t *Troubles) All() []Trouble {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []Trouble
	for _, one := range t.list {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b Trouble) int { return cmp.Compare(a.Kind, b.Kind) })
	return list
}
