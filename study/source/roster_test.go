package source

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/study"
)

func described(t testing.TB, text string) *Description {
	t.Helper()
	d, err := parse("test.yaml", []byte(cmp.Or(text, "{}")))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// files writes texts, a file each.
func files(t testing.TB, texts ...string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf("%d.csv", i))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestInventories(t *testing.T) {
	day := time.Date(2023, time.May, 17, 0, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		description string
		in          []string
		want        []study.Drive // by name
		hasRoles    bool
		twice       []string
		strange     []string
		values      int64
		rows        int64
	}{
		"all that is known": {
			in: []string{"drive,group,slot,role,kind,raid,model,vendor,flash,interface,rpm,capacity_gb,deployed\n" +
				"a,g,1,data,disk,raid6,A7,A,,SATA,7200,1000,2023-05-17\nb,g,2,parity,SSD,raid6,B1,B,MLC,SAS,,400,\n"},
			want: []study.Drive{
				{Name: "a", Group: "g", Kind: study.Disk, Model: "A7", Vendor: "A", Interface: "SATA", Capacity: "1000", RPM: "7200", Deployed: day},
				{Name: "b", Group: "g", Role: study.Parity, Kind: study.SSD, Model: "B1", Vendor: "B", Flash: "MLC", Interface: "SAS", Capacity: "400"},
			},
			hasRoles: true,
		},
		"the least": {
			in:   []string{"drive\na\n"},
			want: []study.Drive{{Name: "a"}},
		},
		"of one kind, unless it says": {
			description: "kind: ssd",
			in:          []string{"drive,kind\na,\nb,hdd\nc,NVMe\n"},
			want:        []study.Drive{{Name: "a", Kind: study.SSD}, {Name: "b", Kind: study.Disk}, {Name: "c", Kind: study.SSD}},
		},
		"other columns": {
			description: "role: {column: role, parity: [P, Q]}\ninventory: {drive: \"{host}/{bay}\", group: host, role: use, model: type, capacity: size}",
			in:          []string{"host,bay,use,type,size\nh,1,P,X,4 TB\nNA,2,d,Y,-\n"},
			want:        []study.Drive{{Name: "h/1", Group: "h", Role: study.Parity, Model: "X", Capacity: "4 TB"}, {Name: "NA/2", Group: "NA", Model: "Y"}},
			hasRoles:    true,
		},
		"several files, the first line of a drive counts": {
			in:    []string{"drive,model\na,X\n", "drive,vendor\na,V\nb,V\n"},
			want:  []study.Drive{{Name: "a", Model: "X"}, {Name: "b", Vendor: "V"}},
			twice: []string{"a"},
		},
		"nothing known": {
			in:   []string{"drive,vendor,model,flash,interface,kind,deployed\nNA,NA,-,none,N/A,null,-\n"},
			want: []study.Drive{{Name: "NA"}},
		},
		"a day in digits": {
			in:   []string{"drive,deployed\na,20230517\n"},
			want: []study.Drive{{Name: "a", Deployed: day}},
		},
		"mistakes": {
			in:      []string{"drive,kind,deployed\n,disk,\na,tape,soon\nb,disk\n"},
			want:    []study.Drive{{Name: "a"}},
			strange: []string{"tape"}, values: 1, rows: 2,
		},
	}
	for name, tt := range tests {
		v, err := readInventories(files(t, tt.in...), described(t, tt.description))
		if err != nil {
			t.Fatal(name, err)
		}
		if len(v.Drives) != len(tt.want) || v.HasRoles != tt.hasRoles || !slices.Equal(v.Twice, tt.twice) || !slices.Equal(v.Strange, tt.strange) ||
			v.Faults.Rows() != tt.rows || v.Faults.Values() != tt.values {
			t.Errorf("%s: %+v", name, v)
		}
		for _, want := range tt.want {
			if got := v.Drives[want.Name]; got != want {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
	}
}

func TestLogs(t *testing.T) {
	index := map[string]int32{"a": 0, "h/1": 1}
	tests := map[string]struct {
		description string
		in          []string
		want        string // seconds, drive, event
		nobody      []string
		rows        int64
	}{
		"known events and others, by time": {
			in:   []string{"time,drive,event\n7200,a,Replugged\n3600,a,unplugged\n3600,h/1,NOT spinning\n60,a,head crash\n"},
			want: "60 0 head crash\n3600 0 unplugged\n3600 1 not spinning\n7200 0 replugged\n",
		},
		"words of the site, local time": {
			description: `events: {time: t, format: "%d.%m.%Y %H:%M", zone: Europe/Berlin, drive: "{host}/{bay}", event: msg, words: {unplugged: [pulled, gone]}}`,
			in:          []string{"t,host,bay,msg\n01.01.1970 02:00,h,1,Pulled\n01.01.1970 03:00,h,1,gone\n"},
			want:        "3600 1 unplugged\n7200 1 unplugged\n",
		},
		"several files": {
			in:   []string{"time,drive,event\n7200,a,unplugged\n", "time,drive,event\n3600,a,unplugged\n"},
			want: "3600 0 unplugged\n7200 0 unplugged\n",
		},
		"nobody's, and at no time": {
			in:     []string{"time,drive,event\n3600,z,unplugged\nsoon,a,unplugged\n,a,unplugged\n3600,,unplugged\n"},
			nobody: []string{"z"}, rows: 3,
		},
	}
	for name, tt := range tests {
		l, err := readLogs(files(t, tt.in...), described(t, tt.description), index)
		if err != nil {
			t.Fatal(name, err)
		}
		var got strings.Builder
		for _, e := range l.Events {
			fmt.Fprintln(&got, e.Time.Unix(), e.Drive, e.What)
		}
		if got.String() != tt.want || !slices.Equal(l.Nobody, tt.nobody) || l.Faults.Rows() != tt.rows {
			t.Errorf("%s: %s%+v\nwant %s", name, got.String(), l, tt.want)
		}
	}
}

// TestRefused names the file and the column.
func TestRefused(t *testing.T) {
	d := described(t, "inventory: {model: type}")
	if _, err := readInventories(files(t, "drive,model\na,X\n"), d); err == nil || !strings.Contains(err.Error(), `0.csv: there is no column type`) {
		t.Errorf("got %v", err)
	}
	if _, err := readLogs(files(t, "time,drive\n0,a\n"), d, nil); err == nil || !strings.Contains(err.Error(), `0.csv: there is no column event`) {
		t.Errorf("got %v", err)
	}
}

// FuzzInventory demands that every drive has its name, once, and that every
// row is a drive, one that stands there again, or a fault.
func FuzzInventory(f *testing.F) {
	f.Add("drive,role,kind,model,vendor,flash,interface,deployed\na,data,disk,A7,A,,SATA,2023-05-17\nb,parity,tape,,,,,soon\na,,,,,,,\n")
	f.Add("drive;kind\n\"a;\"\"1\"\"\";ssd\n;disk\n")
	f.Add("drive\nNA\n\n-\n")
	f.Add("\ufeffkind,drive\r\nssd,a\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := readInventories(files(t, text), described(t, ""))
		if err != nil {
			return
		}
		for name, drive := range v.Drives {
			if name == "" || drive.Name != name {
				t.Errorf("drive %q is called %q", name, drive.Name)
			}
		}
		rows := 0
		for line := range strings.Lines(text) {
			if strings.TrimRight(line, "\r\n") != "" {
				rows++
			}
		}
		if n := len(v.Drives) + len(v.Twice) + int(v.Faults.Rows()); n > rows {
			t.Errorf("%d rows of %d lines", n, rows)
		}
	})
}

// FuzzLog demands that events are of known drives and in the order of time.
func FuzzLog(f *testing.F) {
	f.Add("time,drive,event\n3600,a,unplugged\n60,a,head crash\n1767225600000,a,x\n2026-01-01,z,\n")
	f.Add("event;time;drive\nreplugged;20260101;a\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := readLogs(files(t, text), described(t, ""), map[string]int32{"a": 0})
		if err != nil {
			return
		}
		for i, e := range l.Events {
			if e.Drive != 0 || e.Time.Unix() < 0 || i > 0 && e.Time.Before(l.Events[i-1].Time) {
				t.Errorf("event %d: %+v", i, e)
			}
		}
	})
}
