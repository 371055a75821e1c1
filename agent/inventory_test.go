package agent

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestInventoryHangs has a device that answers after minutes: nobody waits for
// it longer than agreed, it is asked once, and what it says is known then.
func TestInventoryHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		i := newInventory(func() ([]string, error) {
			asked++
			time.Sleep(150 * time.Second)
			return []string{"dev 8:16=sdb"}, nil
		}, patience)
		for minute := range 3 {
			began := time.Now()
			lines, err := i.look()
			if !errors.Is(err, errSilent) || lines != nil || time.Since(began) != patience {
				t.Errorf("minute %d: %q, error %v, after %v", minute, lines, err, time.Since(began))
			}
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		if asked != 1 || i.name(8, 16) != "" {
			t.Errorf("asked %d times, the name is %q", asked, i.name(8, 16))
		}
		lines, err := i.look()
		if err != nil || !slices.Equal(lines, []string{"dev 8:16=sdb"}) || i.name(8, 16) != "sdb" {
			t.Errorf("%q, error %v, the name is %q", lines, err, i.name(8, 16))
		}
	})
}

// TestInventoryFails keeps what was known when nothing more can be found out.
func TestInventoryFails(t *testing.T) {
	lines, failure := []string{"dev 8:16=sdb"}, error(nil)
	i := newInventory(func() ([]string, error) { return lines, failure }, time.Minute)
	if got, err := i.look(); err != nil || !slices.Equal(got, lines) {
		t.Fatalf("%q, error %v", got, err)
	}
	before := lines
	lines, failure = nil, errors.New("sysfs is gone")
	if got, err := i.look(); !errors.Is(err, failure) || !slices.Equal(got, before) {
		t.Errorf("%q, error %v", got, err)
	}
}
