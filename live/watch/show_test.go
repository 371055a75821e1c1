package watch

import (
	"testing"

	"github.com/limpet-storage/limpet/topology"
)

// TestShownWhenSomethingIsNew: a Result is made after a row, after a trouble, and every few looks.
func TestShownWhenSomethingIsNew(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	o.Once = true
	w := run(t.Context(), t, o)
	w.live, w.looks = true, 0
	look := func() bool {
		before := w.Result()
		w.lookAround()
		return w.Result() != before
	}
	if look() {
		t.Error("nothing is new, and is shown")
	}
	w.rows++
	if !look() {
		t.Error("a row has come, and is not shown")
	}
	w.store.Troubles.Set("history", "the disk is full")
	if !look() || len(w.Result().Troubles) != 1 {
		t.Error("a trouble has come, and is not shown")
	}
	shown := 0
	for range 2 * calmLooks {
		if look() {
			shown++
		}
	}
	if shown != 2 {
		t.Errorf("of %d looks %d were shown, want 2", 2*calmLooks, shown)
	}
}

// TestDescribedAgain: the result is computed again after a row, an event, a command or a warning,
// and reused otherwise.
func TestDescribedAgain(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	o.Once = true
	w := run(t.Context(), t, o)
	same := func() bool {
		before := w.Result()
		w.show()
		return &before.Windows[0] == &w.Result().Windows[0] && before != w.Result()
	}
	if w.show(); !same() {
		t.Error("nothing is new, and it is put together again")
	}
	for what, comes := range map[string]func(){
		"a row": func() { w.rows++ }, "an event": func() { w.events++ }, "a command": func() { w.commands++ },
		"a warning": func() { w.warned = []topology.Warning{{Text: "another"}} }, "a system": func() { other := *w.d; w.d = &other },
	} {
		if comes(); same() {
			t.Errorf("%s has come, and nothing is put together", what)
		}
	}
}
