package activity

import (
	"testing"

	"github.com/limpet-storage/limpet/topology"
)

// TestTakeWanted: wanted metrics are read in the step that the records of all
// disks allow, and not at all where a finer step would cost records of some.
func TestTakeWanted(t *testing.T) {
	server := func(name string, interval int64) hostFiles {
		return hostFiles{Name: name, Interval: interval, Disks: true, Interfaces: true}
	}
	client := func(name string, interval int64) hostFiles {
		return hostFiles{Name: name, Interval: interval, Interfaces: true}
	}
	for _, tt := range []struct {
		name   string
		files  []hostFiles
		taken  bool
		finest int64
	}{
		{"all at a second", []hostFiles{server("a", 1), server("b", 1), server("c", 1)}, true, 1},
		{"one at four seconds", []hostFiles{server("a", 1), server("b", 1), server("c", 1), server("d", 4)}, true, 4},
		{"one at fifteen seconds", []hostFiles{server("a", 1), server("b", 1), server("c", 1), server("d", 15)}, false, 0},
		{"only clients are recorded often", []hostFiles{client("x", 1), client("y", 1), client("z", 1), server("a", 10)}, false, 0},
		{"clients are recorded seldom", []hostFiles{server("a", 1), server("b", 1), server("c", 1), client("x", 15)}, true, 1},
		{"one that 15 s are too short for", []hostFiles{server("a", 1), server("b", 1), server("c", 1), server("d", 600)}, true, 1},
		{"one that is none of the system's", []hostFiles{server("a", 1), server("b", 1), server("c", 1), server("other", 15)}, true, 1},
		{"two servers", []hostFiles{server("a", 1), server("b", 1)}, false, 0},
	} {
		o := Options{Metrics: []string{"await"}, Wanted: Wanted{Metrics: []string{"rxbyt"}, Finest: 1, WithinSeconds: 5}}
		if tt.name == "one that is none of the system's" {
			o.System = &topology.System{Servers: []string{"a", "b", "c"}}
			for _, name := range o.System.Servers {
				o.System.Components = append(o.System.Components, topology.Component{Name: name + "/eth0", Server: name, Kind: topology.Interface})
			}
		}
		if taken := o.takeWanted(tt.files); taken != tt.taken || o.Finest != tt.finest {
			t.Errorf("%s: taken %t with steps of %d s, want %t with %d s", tt.name, taken, o.Finest, tt.taken, tt.finest)
		}
	}
}
