package look

import (
	"math"
	"testing"
)

// TestStudentTail compares with values of tables (Abramowitz and Stegun, table 26.10), and with
// closed forms for 1 and 2 degrees of freedom.
func TestStudentTail(t *testing.T) {
	for _, test := range []struct{ t, df, want float64 }{
		{12.706, 1, 0.025}, {4.303, 2, 0.025}, {2.228, 10, 0.025}, {3.169, 10, 0.005}, {2.042, 30, 0.025}, {5.893, 5, 0.001}, {0, 7, 0.5},
	} {
		if got := studentTail(test.t, test.df); math.Abs(got-test.want) > 2e-5*(1+100*test.want) {
			t.Errorf("the tail above %g with %g degrees of freedom is %g, not %g", test.t, test.df, got, test.want)
		}
	}
	for x := -20.0; x <= 20; x += 0.37 {
		if got, want := studentTail(x, 1), 0.5-math.Atan(x)/math.Pi; math.Abs(got-want) > 1e-12 {
			t.Errorf("one degree of freedom, %g: %g, not %g", x, got, want)
		}
		if got, want := studentTail(x, 2), 0.5-x/(2*math.Sqrt(2+x*x)); math.Abs(got-want) > 1e-12 {
			t.Errorf("two degrees of freedom, %g: %g, not %g", x, got, want)
		}
	}
}

func TestStudentQuantile(t *testing.T) {
	for _, df := range []float64{1, 4.7, 30, 4000} {
		for _, p := range []float64{0.4, 0.05, 1e-4, 1e-7} {
			if got := studentTail(studentQuantile(p, df), df); math.Abs(got/p-1) > 1e-6 {
				t.Errorf("quantile of %g with %g degrees of freedom: its tail is %g", p, df, got)
			}
		}
	}
}
