package agent

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestInventoryHangs has a device that answers after minutes: nobody waits for
// it longer than agreed, it is asked once, and what it says is known then.
func TestInventoryHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		i := newInventory(func() ([]string, error) {
			asked.Add(1)
			time.Sleep(150 * time.Second)
			return []string{"dev 8:16=sdb"}, nil
		}, patience)
		began := time.Now()
		for second := range uint64(149) {
			lines, err := i.look(5000+100*second, int(second))
			if silent := second >= 5; errors.Is(err, errSilent) != silent || lines != nil {
				t.Errorf("second %d: %q, error %v", second, lines, err)
			}
			time.Sleep(time.Second)
		}
		if waited := time.Since(began) - 149*time.Second; asked.Load() != 1 || waited > patience+time.Millisecond || i.name(8, 16) != "" {
			t.Errorf("asked %d times, waited %v, the name is %q", asked.Load(), waited, i.name(8, 16))
		}
		time.Sleep(time.Second)
		lines, err := i.look(5000, 0)
		if err != nil || !slices.Equal(lines, []string{"dev 8:16=sdb"}) || i.name(8, 16) != "sdb" {
			t.Errorf("%q, error %v, the name is %q", lines, err, i.name(8, 16))
		}
	})
}

// TestInventoryDue: when devices are asked, of looks every second.
func TestInventoryDue(t *testing.T) {
	var asked []int
	second := 0
	i := newInventory(func() ([]string, error) {
		asked = append(asked, second)
		return nil, nil
	}, time.Minute)
	changes := 3
	for second = range 200 {
		switch {
		case second == 30: // one comes
			changes++
		case second >= 150 && second < 165: // one flaps
			changes++
		}
		if _, err := i.look(uint64(777+100*second), changes); err != nil {
			t.Fatal(err)
		}
	}
	if want := []int{0, 30, 90, 150, 155, 160, 165}; !slices.Equal(asked, want) {
		t.Errorf("asked at %v, want %v", asked, want)
	}
}

// TestInventoryFails keeps what was known when nothing more can be found out.
func TestInventoryFails(t *testing.T) {
	lines, failure := []string{"dev 8:16=sdb"}, error(nil)
	i := newInventory(func() ([]string, error) { return lines, failure }, time.Minute)
	if got, err := i.look(0, 0); err != nil || !slices.Equal(got, lines) {
		t.Fatalf("%q, error %v", got, err)
	}
	before := lines
	lines, failure = nil, errors.New("sysfs is gone")
	if got, err := i.look(askEvery, 0); !errors.Is(err, failure) || !slices.Equal(got, before) {
		t.Errorf("%q, error %v", got, err)
	}
}
