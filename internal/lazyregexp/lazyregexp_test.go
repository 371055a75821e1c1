package lazyregexp

import "testing"

// TestCompilesAtFirstUse: outside of tests an expression is compiled by its first use, and once.
func TestCompilesAtFirstUse(t *testing.T) {
	isTest = false
	defer func() { isTest = true }()
	r := New(`^a(b+)$`)
	if r.rx != nil {
		t.Fatal("New compiles the expression")
	}
	if m := r.FindStringSubmatch("abb"); len(m) != 2 || m[1] != "bb" {
		t.Errorf("submatches %q", m)
	}
	if first := r.rx; first == nil || !r.MatchString("ab") || r.rx != first {
		t.Error("the first use does not compile the expression, or the second compiles it again")
	}
}

// TestWrongText: a test of a package with a wrong expression fails when the package is initialised.
func TestWrongText(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a text that does not compile is no panic in tests")
		}
	}()
	New(`(`)
}
