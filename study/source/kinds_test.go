package source

import (
	"fmt"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// TestSettledKinds has an inventory that knows some drives of groups: those
// that have records there, those that it puts there itself, parity drives and
// both kinds.
func TestSettledKinds(t *testing.T) {
	const records = `time,group,drive,role,latency_us
3600,disks,a,data,1
3600,disks,b,data,1
7200,disks,x,data,1
3600,filed,y,data,1
3600,both,a,data,1
3600,both,c,data,1
3600,parity,p,parity,1
3600,parity,z,data,1
3600,strange,z,data,1
`
	tests := map[string]struct {
		inventory string
		want      []study.Kind // of both, disks, filed, parity, strange
	}{
		"some": {
			"drive,kind,group\na,disk,\nb,disk,strange-to-say\nc,ssd,disks\nn,ssd,filed\np,ssd,\n",
			[]study.Kind{study.Unknown, study.Disk, study.SSD, study.Unknown, study.Unknown},
		},
		"none": {"drive,kind,group\na,,\n", nil},
		"all":  {"drive,kind,group\na,disk,\nb,disk,\nc,ssd,\np,disk,\nx,disk,\ny,disk,\nz,disk,\n", nil},
	}
	for name, tt := range tests {
		dir := t.TempDir()
		write(t, dir, "records/a.csv", records)
		write(t, dir, "records/b.csv", records)
		write(t, dir, "inventory.csv", tt.inventory)
		for _, workers := range []int{1, 2} {
			o := options(t, "")
			o.Workers = workers
			s := open(t, o, dir)
			if f := s.Fleet(); !slices.Equal(f.Kinds, tt.want) {
				t.Errorf("%s: %v are %v, want %v", name, f.Groups, f.Kinds, tt.want)
			}
		}
	}
}

// TestSettledKindsOfHours studies the hours of a group in one part, though
// those whose kind is known are idle in some.
func TestSettledKindsOfHours(t *testing.T) {
	dir := t.TempDir()
	text := "time,group,drive,ios,latency_us\n"
	for hour := range 10 {
		for d := range 6 {
			if d >= 3 || hour%2 == 0 {
				text += fmt.Sprintf("%d,g,%d,5,100\n", 3600*(hour+1), d)
			}
		}
	}
	write(t, dir, "records.csv", text)
	write(t, dir, "inventory.csv", "drive,kind\n0,ssd\n1,ssd\n2,ssd\n")
	o := options(t, "")
	o.Workers = 1
	s := open(t, o, dir)
	r, err := study.Reduce(s.Streams(t.Context())[0], s.Fleet(), study.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cells) != 1 || r.Cells[0].Kind != study.SSD || r.Cells[0].Hours != 10 {
		t.Errorf("cells %+v, want one of SSDs", r.Cells)
	}
}
