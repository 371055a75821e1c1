package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// sadc is the path of sysstat's recorder, where Debian or Red Hat put it.
func sadc(t testing.TB) string {
	t.Helper()
	for _, path := range []string{"/usr/lib/sysstat/sadc", "/usr/lib64/sa/sadc"} {
		if exists(path) {
			return path
		}
	}
	t.Skip("sadc is not installed")
	return ""
}

func needRoot(t testing.TB, why string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("needs root: %s", why)
	}
}

// recorded is the last sample in an activity file and its uptime.
func recorded(t testing.TB, file string) (s *sysstat.Sample, uptime uint64) {
	t.Helper()
	r, err := sysstat.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for rec, err := r.Next(); err == nil; rec, err = r.Next() {
		if rec.Type != sysstat.Stats {
			continue
		}
		s = &sysstat.Sample{
			CPUs:            rec.CPUs(nil),
			Disks:           rec.Disks(nil),
			Interfaces:      rec.Interfaces(nil),
			InterfaceErrors: rec.InterfaceErrors(nil),
		}
		s.TCP, _ = rec.TCP()
		s.TCPErrors, _ = rec.TCPErrors()
		uptime = rec.Uptime
	}
	if s == nil {
		t.Fatalf("%s holds no sample", file)
	}
	return s, uptime
}

// TestMachinesAsSadc shows sadc the fixtures in place of this machine.
func TestMachinesAsSadc(t *testing.T) {
	program := sadc(t)
	needRoot(t, "mounts fixtures over /proc, /sys and /dev in a name space of its own")
	if err := exec.Command("unshare", "-m", "mount", "--bind", t.TempDir(), "/dev").Run(); err != nil {
		t.Skipf("unshare and mount: %v", err)
	}
	const script = `cd "$1" && mkdir -p dev && mount --bind dev /dev && mount --bind sys /sys && mount --bind proc /proc && exec "$2" -S "$3",SNMP 1 1 "$4"`
	for _, name := range machines {
		for _, keyword := range []string{"DISK", "XDISK"} {
			t.Run(name+" "+keyword, func(t *testing.T) {
				root, file := machine(t, name), filepath.Join(t.TempDir(), "sa")
				if out, err := exec.Command("unshare", "-m", "sh", "-c", script, "sh", root, program, keyword, file).CombinedOutput(); err != nil {
					t.Fatalf("sadc: %v: %s", err, out)
				}
				want, uptime := recorded(t, file)
				knownDifferences(want)
				k := open(t, Options{Root: root, Partitions: keyword == "XDISK"})
				if got := sample(t, k); show(got) != show(want) {
					t.Errorf("got\n%s\nwant\n%s", show(got), show(want))
				}
				if got, err := k.Uptime(); got != uptime || err != nil {
					t.Errorf("uptime: got %d, %v, want %d", got, err, uptime)
				}
			})
		}
	}
}

// knownDifferences are those that are meant: a speed of -1 is none, and a
// line that lacks counters is no interface.
func knownDifferences(s *sysstat.Sample) {
	for i := range s.Interfaces {
		if s.Interfaces[i].SpeedMbit == unknownSpeed {
			s.Interfaces[i].SpeedMbit = 0
		}
	}
	if n := len(s.Interfaces); n > 0 && s.Interfaces[n-1].Name == "bad" {
		s.Interfaces, s.InterfaceErrors = s.Interfaces[:n-1], s.InterfaceErrors[:n-1]
	}
}

// TestBesideSadc takes a sample before and one after sadc's: the same devices
// in the same order, and no counter of sadc's outside of ours.
func TestBesideSadc(t *testing.T) {
	program := sadc(t)
	k := open(t, DefaultOptions())
	const tries = 5 // a device may come or go meanwhile
	for try := 1; ; try++ {
		before := sample(t, k)
		work(t)
		file := filepath.Join(t.TempDir(), "sa")
		if out, err := exec.Command(program, "-S", "DISK,SNMP", "1", "1", file).CombinedOutput(); err != nil {
			t.Fatalf("sadc: %v: %s", err, out)
		}
		theirs, _ := recorded(t, file)
		work(t)
		after := sample(t, k)
		if namesIn(before) != namesIn(after) && try < tries {
			continue
		}
		if got, want := namesIn(before), namesIn(theirs); got != want {
			t.Fatalf("got %s, sadc has %s", got, want)
		}
		between(t, "", reflect.ValueOf(*before), reflect.ValueOf(*theirs), reflect.ValueOf(*after))
		return
	}
}

// work makes the counters move.
func work(t *testing.T) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	_ = f.Sync()
}

// namesIn are what a sample is of.
func namesIn(s *sysstat.Sample) (list string) {
	list = fmt.Sprintf("%d processors", len(s.CPUs))
	for _, d := range s.Disks {
		list += fmt.Sprintf(" %d:%d(%x)", d.Major, d.Minor, d.WWN)
	}
	for i, n := range s.Interfaces {
		list += fmt.Sprintf(" %s(%d %d)/%s", n.Name, n.SpeedMbit, n.Duplex, s.InterfaceErrors[i].Name)
	}
	return list
}

// between checks every counter, whatever structure it stands in.
func between(t *testing.T, place string, low, mid, high reflect.Value) {
	switch low.Kind() {
	case reflect.Struct:
		for i := range low.NumField() {
			between(t, place+"."+low.Type().Field(i).Name, low.Field(i), mid.Field(i), high.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range low.Len() {
			between(t, fmt.Sprintf("%s[%d]", place, i), low.Index(i), mid.Index(i), high.Index(i))
		}
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		// Of a processor the kernel may take back time that it was idle.
		if a, b, c := low.Uint(), mid.Uint(), high.Uint(); a > b || b > c {
			if name := filepath.Ext(place); name != ".Idle" && name != ".IOWait" {
				t.Errorf("%s: %d, sadc has %d, then %d", place, a, b, c)
			}
		}
	}
}
