package evaluate

import (
	"slices"
	"strings"
	"testing"
)

const someLabels = `cluster,host_name,workload,disk_id
east,host_2,web,disk7
west,host_2,web,disk1
east,host_1,"block, cold",disk3
`

func TestParseLabels(t *testing.T) {
	truth, err := ParseLabels("labels.csv", []byte(someLabels), "east")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range truth.Faults {
		got = append(got, f.Component)
		if !f.From.IsZero() || !f.To.IsZero() || f.Kind != slowDrive {
			t.Errorf("a label that says more than it does: %+v", f)
		}
	}
	if want := []string{"host_2/disk7", "host_1/disk3"}; !slices.Equal(got, want) || truth.System != "east" {
		t.Errorf("%s: slow drives %v, want %v", truth.System, got, want)
	}
	if got := LabelledClusters([]byte(someLabels)); !slices.Equal(got, []string{"east", "west"}) {
		t.Errorf("clusters %v", got)
	}
}

func TestBadLabels(t *testing.T) {
	for data, want := range map[string]string{
		"":                               "file labels.csv is empty",
		"cluster,host_name,disk\na,b,c":  "labels.csv:1: the column disk_id is missing",
		"cluster,host_name,disk_id\na,b": "labels.csv: record on line 2: wrong number of fields",
		"cluster,\"host":                 "labels.csv: ",
	} {
		_, err := ParseLabels("labels.csv", []byte(data), "a")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", data, err, want)
		}
	}
}

func FuzzParseLabels(f *testing.F) {
	f.Add([]byte(someLabels), "east")
	f.Add([]byte("disk_id,host_name,cluster\r\n1,2,3\r\n"), "3")
	f.Fuzz(func(t *testing.T, data []byte, cluster string) {
		truth, err := ParseLabels("f", data, cluster)
		if err != nil {
			return
		}
		if len(truth.Faults) > 0 && !slices.Contains(LabelledClusters(data), cluster) {
			t.Errorf("%q has faults and no label", cluster)
		}
	})
}
