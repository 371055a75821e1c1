package topology

import (
	"fmt"
	"testing"
)

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

// TestFoldFew: hundreds of names that cannot be folded are not listed one by one.
func TestFoldFew(t *testing.T) {
	var many []string
	for i := range 252 {
		many = append(many, fmt.Sprintf("10.100.100.%d@o2ib1", i+4))
	}
	const want = "10.100.100.4@o2ib1, 10.100.100.5@o2ib1, 10.100.100.6@o2ib1, 10.100.100.7@o2ib1, 10.100.100.8@o2ib1 and 247 more"
	if got := FoldFew(many); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := FoldFew([]string{"fs10", "fs1", "fs2"}), "fs[1-2,10]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
