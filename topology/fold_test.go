package topology

import "testing"

// TestFoldSorted: a list of servers stands in natural order, whatever order they were found in.
func TestFoldSorted(t *testing.T) {
	names := []string{"fs5", "fs6", "fs7", "fs8", "fs10", "fs1", "fs2", "fs4"}
	if got, want := FoldSorted(names), "fs[1-2,4-8,10]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if names[0] != "fs5" {
		t.Error("the list of the caller was changed")
	}
}
