package witness

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

func readSmart(file, text string) (*Record, int) {
	record, n := &Record{}, 0
	for _, t := range site.Cut(file, []byte(text)) {
		if t.Host == "" {
			t.Host = "fs1"
		}
		n += ReadSMART(t, record)
	}
	return record, n
}

func said(r *Record, c topology.Component) string {
	var list []string
	for _, a := range r.Of(&c, 0, 0) {
		list = append(list, fmt.Sprintf("%d=%g:%d", a.Sign, a.Value, a.Line))
	}
	return strings.Join(list, " ")
}

const ata = `smartctl 7.2 2020-12-30 r5155 [x86_64-linux-5.14.0] (local build)
=== START OF INFORMATION SECTION ===
Device Model:     ST16000NM001G-2KK103
Serial Number:    ZL2A9XYZ
LU WWN Device Id: 5 000c50 0a1b2c3d4
Local Time is:    Mon Mar  2 09:12:44 2026 UTC
SMART overall-health self-assessment test result: PASSED
ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
  1 Raw_Read_Error_Rate     0x000f   082   064   044    Pre-fail  Always       -       150354776
  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       8
194 Temperature_Celsius     0x0022   034   055   000    Old_age   Always       -       34 (0 18 0 0 0)
197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -       0
199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       12
`

const scsi = `smartctl 7.2 2020-12-30 r5155 [x86_64-linux-5.14.0] (local build)
Serial number:        ZR5C0XYZ0000C2
SMART Health Status: FAILURE PREDICTION THRESHOLD EXCEEDED [asc=5d, ascq=0]
Current Drive Temperature:     61 C
Elements in grown defect list: 12
           Errors Corrected by           Total   Correction     Gigabytes    Total
read:   1234        0         0      1234       1234       1000.000           3
write:     0        0         0         0          0        500.000           0
`

const nvme = `smartctl 7.2 2020-12-30 r5155 [x86_64-linux-5.14.0] (local build)
Serial Number:                      S4YPNE0R700123
SMART overall-health self-assessment test result: PASSED
Critical Warning:                   0x00
Temperature:                        38 Celsius
Percentage Used:                    2%
Media and Data Integrity Errors:    0
`

// TestText: what should be zero and is not, of each kind of drive.
func TestText(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		part             topology.Component
		want             string
	}{
		{"ATA by serial number", "fs1.smart.txt", ata, topology.Component{Part: topology.Part{Serial: "ZL2A9XYZ"}}, "6=8:10 8=12:13"},
		{"ATA by WWN", "fs1.smart.txt", ata, topology.Component{WWN: "5000c500a1b2c3d4"}, "6=8:10 8=12:13"},
		{"ATA by the name of the file", "fs1.sdb.smart.txt", ata, topology.Component{Server: "fs1", Device: "sdb"}, "6=8:10 8=12:13"},
		{"ATA of another server", "fs1.sdb.smart.txt", ata, topology.Component{Server: "fs2", Device: "sdb"}, ""},
		{"SCSI", "x", scsi, topology.Component{Part: topology.Part{Serial: "zr5c0xyz0000c2"}}, "0=3:7 6=12:5 9=1:3 11=61:4"},
		{"NVMe by the command", "x", "[root@fs1 ~]# smartctl -a /dev/nvme0\n" + nvme, topology.Component{Server: "fs1", Device: "nvme0n1"}, "12=0:2"},
		{"two drives", "x", ata + scsi, topology.Component{Part: topology.Part{Serial: "ZR5C0XYZ0000C2"}}, "0=3:20 6=12:18 9=1:16 11=61:17"},
	} {
		record, n := readSmart(tt.file, tt.text)
		if got := said(record, tt.part); got != tt.want || n == 0 {
			t.Errorf("%s: %q of %d drives, want %q", tt.name, got, n, tt.want)
		}
	}
}

// TestJSON: the same of JSON.
func TestJSON(t *testing.T) {
	const text = `{"json_format_version": [1,0], "smartctl": {"version": [7,2]}, "device": {"name": "/dev/sdb", "type": "sat"},
"serial_number": "ZL2A9XYZ", "wwn": {"naa": 5, "oui": 3152, "id": 2719138772}, "smart_status": {"passed": true},
"ata_smart_attributes": {"table": [{"id": 5, "name": "Reallocated_Sector_Ct", "raw": {"value": 8, "string": "8"}}, {"id": 1, "raw": {"value": 150354776}}]},
"temperature": {"current": 34}, "local_time": {"time_t": 1772442764}}
`
	record, n := readSmart("fs1.json", text)
	for _, part := range []topology.Component{{Part: topology.Part{Serial: "ZL2A9XYZ"}}, {Server: "fs1", Device: "sdb"}} {
		if got := said(record, part); got != "6=8:1" || n != 1 {
			t.Errorf("%+v: %q of %d drives", part, got, n)
		}
	}
	record, n = readSmart("fs1.json", `{"device": {"name": "/dev/nvme1"}, "smartctl": {}, "nvme_smart_health_information_log": {"critical_warning": 4, "media_errors": 7, "percentage_used": 104}}`)
	if got := said(record, topology.Component{Server: "fs1", Device: "nvme1n1"}); got != "0=7:1 9=4:1 10=104:1" || n != 1 {
		t.Errorf("%q of %d drives", got, n)
	}
}

// TestRealDocument reads what smartctl printed of a real SCSI drive.
func TestRealDocument(t *testing.T) {
	data, err := os.ReadFile(checkout.Shared(t, "data/site/ceph/ceph+ceph/smart_data_version_1_0_scsi_response.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, n := readSmart("fs1.json", string(data)); n != 1 {
		t.Errorf("%d drives, want 1", n)
	}
}

func FuzzSmartRead(f *testing.F) {
	for _, text := range []string{ata, scsi, nvme, `{"smartctl": {}, "wwn": {"naa": 99999999999}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		record, _ := readSmart("fs1.sdb.txt", text)
		said(record, topology.Component{Server: "fs1", Device: "sdb"})
	})
}
