package topology

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	want := strings.Fields(`
		01 1 2 6.00.1 6.00.2 6.00.10 010 10 11 21.00.121
		dm-2 dm-10
		fs fs1 fs01.x fs1.x fs1/nvme0n1 fs1/nvme0n2 fs1/nvme1n1 fs1/nvme10n1
		fs1/sd fs1/sda fs1/sdz fs1/sdaa fs1/sdab fs2 fs10 fsx1
		sda sdb sdz sdaa sdba sdzz sdaaa`)
	for i, a := range want {
		for j, b := range want {
			if got := Compare(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("Compare(%s, %s) = %d", a, b, got)
			}
		}
	}
}

// A sort is the same from any order only if Compare is a total order.
func TestCompareIsTotal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const alphabet = "sdvx019./-aA"
	names := make([]string, 400)
	for i := range names {
		for range rng.IntN(7) {
			names[i] += string(alphabet[rng.IntN(len(alphabet))])
		}
	}
	slices.SortFunc(names, Compare)
	names = slices.Compact(names)
	for i, a := range names {
		for j, b := range names {
			if got := Compare(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Fatalf("Compare(%q, %q) = %d at places %d and %d", a, b, got, i, j)
			}
		}
	}
}
