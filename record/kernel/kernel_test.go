package kernel

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/limpet-storage/limpet/record/sysstat"
)

var update = flag.Bool("update", false, "write the golden files anew")

// machines are the fixtures: trees of proc, sys and dev.
var machines = []string{"server", "linux-4.19", "linux-3.10"}

// machine unpacks a fixture. A file that begins with an arrow is a symbolic
// link, one in quotes has bytes that are no text.
func machine(t testing.TB, name string) (root string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	root = t.TempDir()
	for _, f := range archive.Files {
		put(t, root, f.Name, string(f.Data))
	}
	return root
}

func put(t testing.TB, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	target, link := strings.CutPrefix(content, "-> ")
	if raw, notText := strconv.Unquote(strings.TrimSpace(content)); notText == nil {
		content = raw
	}
	switch {
	case err != nil:
	case link:
		err = os.Symlink(strings.TrimSpace(target), path)
	default:
		err = os.WriteFile(path, []byte(content), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, o Options) *Kernel {
	t.Helper()
	k, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

func sample(t testing.TB, k *Kernel) *sysstat.Sample {
	t.Helper()
	s := new(sysstat.Sample)
	if err := k.Sample(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMachines holds samples and inventories of whole machines against what
// they should be.
func TestMachines(t *testing.T) {
	for _, name := range machines {
		t.Run(name, func(t *testing.T) {
			k := open(t, Options{Root: machine(t, name)})
			uptime, err := k.Uptime()
			if err != nil {
				t.Error(err)
			}
			comments, err := k.Inventory()
			if err != nil {
				t.Error(err)
			}
			got := fmt.Sprintf("uptime %d\n%s%s\n", uptime, show(sample(t, k)), strings.Join(comments, "\n"))
			golden(t, filepath.Join("testdata", name+".golden"), got)
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// show is a sample as text, an item a line.
func show(s *sysstat.Sample) string {
	var b strings.Builder
	for _, list := range []any{s.CPUs, s.Disks, s.Interfaces, s.InterfaceErrors} {
		for i, v := 0, reflect.ValueOf(list); i < v.Len(); i++ {
			fmt.Fprintf(&b, "%T%+v\n", v.Index(i).Interface(), v.Index(i))
		}
	}
	fmt.Fprintf(&b, "%T%+v\n%T%+v\n", s.TCP, s.TCP, s.TCPErrors, s.TCPErrors)
	return strings.ReplaceAll(b.String(), "sysstat.", "")
}

func TestInventoryIsReadBack(t *testing.T) {
	k := open(t, Options{Root: machine(t, "server")})
	comments, err := k.Inventory()
	if err != nil {
		t.Fatal(err)
	}
	var inv sysstat.Inventory
	for _, c := range comments {
		if !inv.Add(c) {
			t.Errorf("%q is not taken", c)
		}
	}
	devices, err := k.devices()
	if err != nil {
		t.Fatal(err)
	}
	if got := inv.Devices(); fmt.Sprint(got) != fmt.Sprint(devices) {
		t.Errorf("got\n%v\nwant\n%v", got, devices)
	}
	for _, c := range []struct {
		major, minor uint32
		want         string
	}{
		{8, 0, "{8 0 sda 0x600605b00a2bdf00242b28c10dcb1999 DX4000 LUN12345 16000900661248 [dm-0]            }"},
		{8, 32, "{8 32 sdc 0x5000c500c1b2c3d4 ST18000NM000J-2TV103 ZR5C0XYZ 18000207937536 [md127] md0           }"},
		{8, 64, "{8 64 sde 0x5000cca000000001 HUH721212ALE600  18000207937536 []  tank          }"},
		{253, 0, "{253 0 dm-0 0x600605b00a2bdf00242b28c10dcb1999 DX4000 LUN12345 16000900661248 [dm-1]            }"},
		{259, 0, "{259 0 nvme0n1 eui.0025385b71b0d3e9 PM1733 MZWLJ3T8HBLS-00007 S4YPNE0R700123 3840755982336 []            }"},
	} {
		if got, _ := inv.Device(c.major, c.minor); fmt.Sprint(got) != c.want {
			t.Errorf("%d:%d: got\n%v\nwant\n%v", c.major, c.minor, got, c.want)
		}
	}
}

func TestChoice(t *testing.T) {
	root := machine(t, "server")
	for _, c := range []struct {
		o                   Options
		disks, nics, listed string
	}{
		{Options{Devices: []string{"sd[cd]", "nvme*"}}, "8:32 8:48 259:0", "lo eth0 eth1 eth2 eth3 enp130s0f1np1v9", "sdc sdd nvme0n1"},
		{Options{Devices: []string{"cciss!*"}, Interfaces: []string{"e*0", "x"}}, "104:0", "eth0", "cciss/c0d0"},
		{Options{Devices: []string{"sdc*"}, Interfaces: []string{"eth?"}, Partitions: true}, "8:32 8:33 8:34", "eth0 eth1 eth2 eth3", "sdc sdc1 sdc2"},
		{Options{Devices: []string{"none"}, Interfaces: []string{"none"}}, "", "", ""},
	} {
		c.o.Root = root
		k := open(t, c.o)
		s := sample(t, k)
		var disks, nics, listed []string
		for _, d := range s.Disks {
			disks = append(disks, fmt.Sprintf("%d:%d", d.Major, d.Minor))
		}
		for i, n := range s.Interfaces {
			nics = append(nics, n.Name)
			if s.InterfaceErrors[i].Name != n.Name {
				t.Errorf("errors of %s beside %s", s.InterfaceErrors[i].Name, n.Name)
			}
		}
		devices, err := k.devices()
		if err != nil {
			t.Error(err)
		}
		for _, d := range devices {
			listed = append(listed, d.Name)
		}
		got := []string{strings.Join(disks, " "), strings.Join(nics, " "), strings.Join(listed, " ")}
		if want := []string{c.disks, c.nics, c.listed}; !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %q, want %q", c.o, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{DefaultOptions(), ""},
		{Options{}, "no root directory"},
		{Options{Root: "/", Devices: []string{"sd["}}, `pattern "sd["`},
		{Options{Root: "/", Interfaces: []string{"eth*", "[]"}}, `pattern "[]"`},
	} {
		err := c.o.Validate()
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && !strings.Contains(got, c.want) {
			t.Errorf("%v: got %v, want %q", c.o, err, c.want)
		}
	}
	if _, err := Open(Options{Root: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "that /proc is mounted") {
		t.Errorf("an empty root: got %v", err)
	}
}

// TestUnmatched: patterns that nothing can be recorded for are known.
func TestUnmatched(t *testing.T) {
	k := open(t, Options{
		Root:       machine(t, "server"),
		Devices:    []string{"/dev/sd*", "sd*", "sdc1", "dm-99"}, // sdc1 is a partition
		Interfaces: []string{"eth?", "ib*"},
	})
	sample(t, k)
	devices, interfaces := k.Unmatched()
	if want := []string{"/dev/sd*", "sdc1", "dm-99"}; !slices.Equal(devices, want) {
		t.Errorf("devices %q, want %q", devices, want)
	}
	if want := []string{"ib*"}; !slices.Equal(interfaces, want) {
		t.Errorf("interfaces %q, want %q", interfaces, want)
	}
	all := open(t, Options{Root: machine(t, "server")})
	sample(t, all)
	if devices, interfaces := all.Unmatched(); len(devices)+len(interfaces) > 0 {
		t.Errorf("without patterns: %q, %q", devices, interfaces)
	}
}

// TestCompleted: I/Os of each kind stand beside the disks of a sample.
func TestCompleted(t *testing.T) {
	root := machine(t, "linux-4.19")
	k := open(t, Options{Root: root})
	put(t, root, "proc/diskstats", "   7 0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"+
		"   8 0 sda 100 1 2 3 50 5 6 7 8 9 10 4 12 13 14\n")
	if s := sample(t, k); len(s.Disks) != 1 || s.Disks[0].IOs != 154 {
		t.Fatalf("got\n%s", show(s))
	}
	if r, w, d := k.Completed(0); r != 100 || w != 50 || d != 4 {
		t.Errorf("%d reads, %d writes, %d discards", r, w, d)
	}
}

// TestBrokenFiles: what is broken is named and left empty, the rest stays.
// Counters of TCP stay as they were: zeros would be read as a fall.
func TestBrokenFiles(t *testing.T) {
	root := machine(t, "linux-4.19")
	k := open(t, Options{Root: root})
	s := sample(t, k)
	before := s.TCP
	put(t, root, "proc/stat", "intr 0\n")
	put(t, root, "proc/net/snmp", "Tcp: 1 2 3\n")
	put(t, root, "proc/uptime", "soon\n")
	err := k.Sample(s)
	if got := fmt.Sprint(err); !strings.Contains(got, "proc/stat lists no processors") || !strings.Contains(got, "proc/net/snmp has no TCP counters") {
		t.Errorf("got %v", err)
	}
	if len(s.CPUs) != 0 || s.TCP != before || before.InSegs == 0 || len(s.Disks) != 3 || len(s.Interfaces) != 1 {
		t.Errorf("got\n%s", show(s))
	}
	if _, err := k.Uptime(); err == nil || !strings.Contains(err.Error(), "is not the time since the start of the machine") {
		t.Errorf("got %v", err)
	}
	if err := os.RemoveAll(filepath.Join(root, "sys/block")); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Inventory(); err == nil || !strings.Contains(err.Error(), "check that sysfs is mounted") {
		t.Errorf("got %v", err)
	}
}
