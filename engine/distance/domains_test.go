package distance

import (
	"reflect"
	"slices"
	"testing"
)

// TestDomainsPartition: every member is in exactly one domain, and domains have the
// right size.
func TestDomainsPartition(t *testing.T) {
	for _, size := range []int{3, 10} {
		for n := range 400 {
			seen := make([]int, n)
			for _, d := range Domains(n, size, 1, uint64(n)) {
				if n >= size && (len(d) < size || len(d) >= 2*size) {
					t.Errorf("%d members: a domain of %d", n, len(d))
				}
				for _, i := range d {
					seen[i]++
				}
			}
			if slices.ContainsFunc(seen, func(c int) bool { return c != 1 }) {
				t.Errorf("%d members: domains of about %d are no partition", n, size)
			}
		}
	}
	if all := Domains(50, 0, 1, 1); len(all) != 1 || len(all[0]) != 50 {
		t.Errorf("without a size: %v", all)
	}
}

// TestDomainsRotate: the same window has the same domains, and other windows have
// others, in which two members meet as often as by chance. Windows are 32 steps apart.
func TestDomainsRotate(t *testing.T) {
	const n, size, windows = 100, 10, 2000
	if !reflect.DeepEqual(Domains(n, size, 1, 64), Domains(n, size, 1, 64)) {
		t.Error("domains are not reproducible")
	}
	if reflect.DeepEqual(Domains(n, size, 1, 64), Domains(n, size, 2, 64)) {
		t.Error("another seed makes the same domains")
	}
	met := make([]int, n*n)
	for w := range uint64(windows) {
		for _, d := range Domains(n, size, 1, 32*w) {
			for at, i := range d {
				for _, j := range d[:at] {
					met[min(i, j)*n+max(i, j)]++
				}
			}
		}
	}
	// 9 of the 99 others in every window: 182 times, give or take five
	// standard deviations of 13.
	for at, times := range met {
		if i, j := at/n, at%n; i < j && (times < 182-65 || times > 182+65) {
			t.Errorf("members %d and %d met %d times in %d windows", i, j, times, windows)
		}
	}
}
