package slow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// rackOfUnits is sixteen arrays of two controllers and 72 LUNs each: places 0 to 15 are
// arrays, 16 to 47 controllers, 48 to 175 servers of nine LUNs.
func rackOfUnits() []Unit {
	var units []Unit
	for array := range 16 {
		for lun := range 72 {
			units = append(units, Unit{In: []int{array, 16 + 2*array + lun%2, 48 + 8*array + lun%8}, Holder: array})
		}
	}
	return units
}

const components = 176

func explain(units []Unit) string {
	o := DefaultLocalisationOptions()
	var parts []string
	for _, x := range o.Explain(units, make([]bool, components), 60) {
		parts = append(parts, fmt.Sprintf("%d:%d/%d", x.Place, len(x.Members), x.Judged))
	}
	return strings.Join(parts, " ")
}

func TestExplain(t *testing.T) {
	tests := []struct {
		name string
		odd  func(array, lun int) bool
		want string
	}{
		{"nothing", func(int, int) bool { return false }, ""},
		{"a whole array", func(a, _ int) bool { return a == 3 }, "3:72/72"},
		{"a drawer of 11 LUNs", func(a, l int) bool { return a == 3 && (l*7)%72 < 11 }, "3:11/72"},
		{"a controller", func(a, l int) bool { return a == 3 && l%2 == 1 }, "23:36/36"},
		{"a server", func(a, l int) bool { return a == 3 && l%8 == 5 }, "77:9/9"},
		{"two servers of two arrays", func(a, l int) bool { return a == 3 && l%8 == 5 || a == 9 && l%8 == 0 }, "120:9/9 77:9/9"},
		{"three LUNs of an array", func(a, l int) bool { return a == 3 && l < 3 }, ""},
		{"an array and a server of another", func(a, l int) bool { return a == 1 && l%3 != 0 || a == 3 && l%8 == 5 }, "1:48/72 77:9/9"},
		{"everybody a little", func(a, l int) bool { return (a*72+l)%20 == 0 }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			units := rackOfUnits()
			for i := range units {
				units[i].Odd = test.odd(i/72, i%72)
			}
			if got := explain(units); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestChance: chance alone explains nothing; one in twenty is odd, a thousand times.
func TestChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 1000 {
		units := rackOfUnits()
		for i := range units {
			units[i].Odd = rng.IntN(20) == 0
		}
		if explain(units) != "" {
			found++
		}
	}
	if found > 2 {
		t.Errorf("%d of 1000 windows without any story have one", found)
	}
}

// TestPermuted: the order of units does not matter.
func TestPermuted(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		units := rackOfUnits()
		for i := range units {
			units[i].Odd = i/72 == 5 && rng.IntN(3) == 0 || i/72 == 7 && i%8 == 1 || rng.IntN(40) == 0
		}
		want := explain(units)
		rng.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
		if got := explain(units); got != want {
			t.Fatalf("got %q after a shuffle, %q before", got, want)
		}
	}
}

// TestMembers: every odd unit is explained once, by a place that it hangs on.
func TestMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	o := DefaultLocalisationOptions()
	for range 50 {
		units := rackOfUnits()
		array, share := rng.IntN(16), 2+rng.IntN(5)
		for i := range units {
			units[i].Odd = i/72 == array && rng.IntN(share) == 0 || i/72 == (array+1)%16 && i%8 == 2
		}
		seen := map[int]bool{}
		for _, x := range o.Explain(units, make([]bool, components), 60) {
			for _, u := range x.Members {
				if seen[u] || !units[u].Odd || !slices.Contains(units[u].In, x.Place) {
					t.Fatalf("unit %d is explained twice, is not odd or does not hang on %d", u, x.Place)
				}
				seen[u] = true
			}
		}
	}
}

func TestValidate(t *testing.T) {
	o := LocalisationOptions{}
	err := o.Validate()
	if err == nil || !strings.Contains(err.Error(), "the setting min_members must be at least 2, not 0") || !strings.Contains(err.Error(), "the setting min_gain_nats must be above 0, not 0") {
		t.Errorf("got %v, want both mistakes named", err)
	}
}
