package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
)

// TestIndictmentsInCSV: a line for each metric, what decided first; other
// columns stay where they were.
func TestIndictmentsInCSV(t *testing.T) {
	want := `record,time,group,component,metric,rank,value,score,threshold,state,reason,median,peers,suspect,bins,width,server,cause,decides,incident,kind,tier,confirmed,end,worst,text
indictment,2026-03-01T12:02:24Z,,ios3,cwnd_in,,,0.612,0.3,,,3.2,28,true,,,ios3,packet loss,true,,,,,,,
indictment,2026-03-01T12:02:24Z,,ios3/eth0,txbyt,,,2.91,0.8,,,9.1e+07,4.56e+07,true,,,ios3,packet loss,false,,,,,,,
indictment,2026-03-01T12:00:09Z,,ios7/sda,rd_sec,,,42.1,8,,,130000,75000,true,,,ios7,disk-hog,true,,,,,,,
indictment,2026-03-01T12:00:09Z,,ios7/sda,await,,,14.8,1.5,,,1170,79,true,,,ios7,disk-hog,false,,,,,,,
`
	if got := indicted(t, "csv", diagnose.BySymptoms, 10, evidence()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	system := watchedServers(t, diagnose.ServersOptions()).s.System
	var out bytes.Buffer
	w := newCSV(&out, Subject{System: system})
	s := Summary{Indictments: []explain.Indictment{{Server: "ios3", Metrics: []explain.Evidence{{Component: "ios3/eth0", Metric: "txbyt"}}}}}
	if err := w.Finish(s); err != nil || !strings.Contains(out.String(), "Z,2,ios3/eth0,txbyt,") {
		t.Errorf("%v, want the group of an interface, 2, in %s", err, out.String())
	}
	plain := indicted(t, "csv", diagnose.BySymptoms, 10, Summary{Examined: 20, From: at, To: at + 640})
	if strings.Count(plain, "\n") != 1 {
		t.Errorf("nobody is indicted: %s", plain)
	}
}
