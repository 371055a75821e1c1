package study

import (
	"io"
	"math"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
)

// simulated is a fleet as the study takes it, with all its hours, by hour and
// group.
func simulated(t testing.TB, o fleet.Options) (*Fleet, *Batch) {
	t.Helper()
	sim, err := fleet.New(o)
	if err != nil {
		t.Fatal(err)
	}
	f := &Fleet{}
	var groups []int32
	for _, d := range sim.Drives() {
		if n := len(f.Groups); n == 0 || f.Groups[n-1] != d.Group {
			f.Groups = append(f.Groups, d.Group)
		}
		groups = append(groups, int32(len(f.Groups)-1))
		f.Drives = append(f.Drives, inventory(d))
	}
	all := &Batch{}
	for h := range sim.Hours() {
		hour := int32(h.Time.Unix() / hourSeconds)
		for i, ios := range h.IOs {
			if ios != fleet.Absent {
				all.add(hour, groups[i], int32(i), float32(ios), known(h.LatencyUs[i]), known(h.SizeBytes[i]))
			}
		}
	}
	return f, all
}

func inventory(d fleet.Drive) Drive {
	out := Drive{
		Name: d.Name, Kind: Disk, Model: d.Model, Vendor: d.Vendor,
		Flash: d.Flash, Interface: d.Interface, Deployed: d.Deployed,
	}
	if d.Kind == fleet.SSD {
		out.Kind = SSD
	}
	if d.Role == fleet.Parity {
		out.Role = Parity
	}
	return out
}

// known is NaN for the 0 that stands for nothing to measure.
func known(v int32) float32 {
	if v == 0 {
		return float32(math.NaN())
	}
	return float32(v)
}

func (b *Batch) add(hour, group, drive int32, ios, latency, size float32) {
	b.Hour = append(b.Hour, hour)
	b.Group = append(b.Group, group)
	b.Drive = append(b.Drive, drive)
	b.IOs = append(b.IOs, ios)
	b.Latency = append(b.Latency, latency)
	b.Size = append(b.Size, size)
}

// addRow adds a row of another batch.
func (b *Batch) addRow(from *Batch, i int) {
	b.add(from.Hour[i], from.Group[i], from.Drive[i], from.IOs[i], from.Latency[i], from.Size[i])
}

// part is some of the rows; it shares their memory.
func (b *Batch) part(from, to int) *Batch {
	return &Batch{
		b.Direction, b.Hour[from:to], b.Group[from:to], b.Drive[from:to],
		b.IOs[from:to], b.Latency[from:to], b.Size[from:to], nil,
	}
}

// pieces yields a batch in parts of some rows.
type pieces struct {
	all  *Batch
	rows int
	at   int
}

func (p *pieces) Next(b *Batch) error {
	if p.at == p.all.Len() {
		return io.EOF
	}
	to := min(p.at+p.rows, p.all.Len())
	*b = *p.all.part(p.at, to)
	p.at = to
	return nil
}

// small are options of a fleet that is drawn in no time.
func small(groups, days int, seed uint64) fleet.Options {
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days, o.Seed = groups, groups, days, seed
	return o
}

func reduce(t testing.TB, f *Fleet, b *Batch, rows int) *Reduction {
	t.Helper()
	r, err := Reduce(&pieces{all: b, rows: rows}, f, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return r
}
