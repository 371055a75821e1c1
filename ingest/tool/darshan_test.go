package tool

import (
	"strings"
	"testing"
)

const trace1 = `# darshan log version: 3.41
# start_time: 1441986044
# DXT, file_id: 15, file_name: /scratch/f
# DXT, rank: 0, hostname: nid00511
# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)  [OST]
 X_MPIIO       0  write        0               0     1048576      0.0010      0.0052
 X_POSIX       0  write        0               0     1048576      0.0020      0.0050  [ 12]
 X_POSIX       0  write        1         1048576     4194304      0.0050      0.0250  [ 12] [ 13]
 X_POSIX       0   read        0               0      524288      1.0000      1.0020  [  7]
`

func TestTrace(t *testing.T) {
	got, err := readTable(t, "darshan", trace1)
	want := "1441986044.0050,12,write,nid00511,1.04858e+06,3,3 " +
		"1441986044.0250,,write,nid00511,4.1943e+06,20,5 " +
		"1441986045.0020,7,read,nid00511,524288,2,4"
	if rows := strings.Join(strings.Fields(got)[1:], " "); err != nil || rows != want {
		t.Errorf("got\n%s, %v, want\n%s", rows, err, want)
	}
	if lines := strings.Split(got, "\n"); !strings.Contains(lines[6], ",12,") {
		t.Errorf("line 7 of the table is %q", lines[6])
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(trace1, "start_time", "end_time", 1): "line 7: the start time of the job is missing",
		"POSIX\t-1\t36028\tPOSIX_OPENS\t1\t/f\n":             "give the output of darshan-dxt-parser LOG",
	} {
		if _, err := readTable(t, "darshan", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
