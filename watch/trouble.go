package watch

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Trouble is something that a watch suffers from itself: a sentence that says what would
// cure it.
type Trouble struct {
	Kind  string // journal, ledger, history, source, state: one of each at a time
	Since time.Time
	Text  string
}

// troubles are those of now. They may be asked for from any goroutine.
type troubles struct {
	mu     sync.Mutex
	list   map[string]Trouble
	now    func() time.Time
	report func(string)
}

func newTroubles(o *Options) *troubles {
	return &troubles{list: map[string]Trouble{}, now: o.Now, report: o.Report}
}

// check notes the trouble of a kind, or that there is none any more.
func (t *troubles) check(kind string, err error) {
	if err == nil {
		t.set(kind, "")
		return
	}
	t.set(kind, err.Error())
}

// set notes a sentence; an empty one ends the trouble.
func (t *troubles) set(kind, text string) {
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

// all lists the troubles of now by their kinds.
func (t *troubles) all() []Trouble {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []Trouble
	for _, one := range t.list {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b Trouble) int { return cmp.Compare(a.Kind, b.Kind) })
	return list
}
