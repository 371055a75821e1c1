package announce

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/live/ledger"
)

// Trouble is a failure of limpet itself, such as a full disk. The text of a trouble names the
// remedy.
type Trouble struct {
	Kind  string // damage, journal, ledger, position, history, gaps, source, plan, partitions, alerts, events, receivers, retention or version; each kind has at most one trouble
	Since time.Time
	Text  string
}

// Troubles holds the failures of limpet that exist at present. Several goroutines may use it.
type Troubles struct {
	mu     sync.Mutex
	list   map[string]Trouble
	now    func() time.Time
	report func(string) // receives a sentence when a trouble ends
	warn   func(string) // receives the text when a trouble begins or changes
	losses []string
}

func newTroubles(now func() time.Time, report, warn func(string)) *Troubles {
	if warn == nil {
		warn = report
	}
	return &Troubles{list: map[string]Trouble{}, now: now, report: report, warn: warn}
}

// Damaged adds a sentence to the trouble "damage". The sentence names a damaged or missing file of
// the state, and the consequences of the damage. This trouble lasts until the process ends, so that
// a person sees it.
func (t *Troubles) Damaged(sentence string) {
	t.mu.Lock()
	now := t.now()
	if was, had := t.list[damageKind]; had {
		now = was.Since
	}
	t.losses = append(t.losses, sentence)
	t.list[damageKind] = Trouble{Kind: damageKind, Since: now, Text: strings.Join(t.losses, "; ")}
	t.mu.Unlock()
	t.warn(damageKind + ": " + sentence)
}

// damageKind is the kind of the trouble that Damaged sets.
const damageKind = "damage"

// Check sets the trouble of a kind to the text of an error. If err is nil, Check ends the trouble.
func (t *Troubles) Check(kind string, err error) {
	switch {
	case err == nil:
		t.Set(kind, "")
	case errors.Is(err, ledger.ErrFull): // a running diagnosis tries again
		t.Set(kind, err.Error()+". When there is space, limpet continues by itself")
	default:
		t.Set(kind, err.Error())
	}
}

// Set sets the sentence of a trouble. An empty sentence ends the trouble.
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
		t.report(kind + ": the problem is solved: " + was.Text)
	case text != "" && was.Text != text:
		t.warn(kind + ": " + text)
	}
}

// All returns the present troubles, ordered by kind.
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
