package metric

import (
	"math"
	"testing"
)

func TestDiskValues(t *testing.T) {
	before := Disk{IOs: 100, ReadSectors: 1000, WriteSectors: 500, ReadMs: 50, WriteMs: 60, BusyMs: 70, QueueMs: 80}
	now := Disk{IOs: 130, ReadSectors: 1300, WriteSectors: 800, DiscardSectors: 60, ReadMs: 110, WriteMs: 90, DiscardMs: 30, BusyMs: 220, QueueMs: 230}
	w, ok := now.Since(&before)
	if !ok {
		t.Fatal("counters that rose are taken for reset")
	}
	want := [8]float64{2, 20, 20, 22, 0.01, 4, 5, 1}
	for i, got := range w.Values(15) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("%s = %v, want %v", Device()[i].Name, got, want[i])
		}
	}
}

func TestIdleIsZeroNotNaN(t *testing.T) {
	d := Disk{IOs: 7, ReadMs: 3}
	w, ok := d.Since(&d)
	if !ok || w.Values(15) != [8]float64{} {
		t.Errorf("idle device: %v %v, want zeros", w.Values(15), ok)
	}
}

func TestSince(t *testing.T) {
	base := Disk{IOs: 1 << 20, ReadSectors: math.MaxUint32 - 9, WriteMs: math.MaxUint32 - 4, BusyMs: 5000}
	tests := map[string]struct {
		change func(*Disk)
		ok     bool
		want   DiskWork
	}{
		"ticks wrap":            {func(d *Disk) { d.IOs++; d.WriteMs = 5 }, true, DiskWork{IOs: 1, WaitMs: 10}},
		"narrow sectors wrap":   {func(d *Disk) { d.Narrow = true; d.ReadSectors = 10 }, true, DiskWork{Read: 20, Moved: 20}},
		"wide sectors reset":    {func(d *Disk) { d.ReadSectors = 10 }, false, DiskWork{}},
		"requests reset":        {func(d *Disk) { d.IOs = 3 }, false, DiskWork{}},
		"ticks reset":           {func(d *Disk) { d.BusyMs = 10 }, false, DiskWork{}},
		"narrow requests reset": {func(d *Disk) { d.Narrow = true; d.IOs = 3 }, false, DiskWork{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			now := base
			tt.change(&now)
			got, ok := now.Since(&base)
			if ok != tt.ok || ok && got != tt.want {
				t.Errorf("got %+v %v, want %+v %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	for _, m := range Device() {
		if got, err := Lookup(m.Name); err != nil || got != m {
			t.Errorf("Lookup(%q) = %+v, %v", m.Name, got, err)
		}
	}
	if _, err := Lookup("awiat"); err == nil {
		t.Error("a misspelt metric was found")
	}
}
