package table

import "testing"

func TestAverage(t *testing.T) {
	var a, b Average
	if !IsMissing(a.Value()) {
		t.Errorf("nothing averages to %v", a.Value())
	}
	a.Add(10, 3)
	a.Add(50, 1)
	if a.Value() != 20 {
		t.Errorf("10, 10, 10 and 50 average to %v", a.Value())
	}
	b.Merge(a)
	b.Add(0, 1)
	if b.Value() != 16 {
		t.Errorf("with a zero they average to %v", b.Value())
	}
}
