package watch

import "testing"

// TestShownWhenSomethingIsNew: a standing is made where a row has come or a trouble has,
// and every few looks.
func TestShownWhenSomethingIsNew(t *testing.T) {
	o := options(t, recorded(t), t.TempDir())
	o.Once = true
	w := run(t.Context(), t, o)
	w.live, w.looks = true, 0
	look := func() bool {
		before := w.Standing()
		w.lookAround()
		return w.Standing() != before
	}
	if look() {
		t.Error("nothing is new, and is shown")
	}
	w.rows++
	if !look() {
		t.Error("a row has come, and is not shown")
	}
	w.tell.Troubles.Set("history", "the disk is full")
	if !look() || len(w.Standing().Troubles) != 1 {
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
