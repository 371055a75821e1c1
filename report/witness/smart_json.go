package witness

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/topology/site"
)

// smartctl -j prints one object for each drive:
//
//	{"device": {"name": "/dev/sdb"}, "serial_number": "ZL2A9XYZ", "wwn": {"naa": 5, "oui": 3152, "id": 2719140820},
//	 "smart_status": {"passed": true}, "temperature": {"current": 34}, "local_time": {"time_t": 1772442764},
//	 "ata_smart_attributes": {"table": [{"id": 5, "raw": {"value": 8}}]}}
type document struct {
	Device struct{ Name string }
	Serial string `json:"serial_number"`
	WWN    struct {
		NAA uint64
		OUI uint64
		ID  uint64
	}
	Status      *struct{ Passed bool }    `json:"smart_status"`
	Temperature struct{ Current float64 } `json:"temperature"`
	Local       struct {
		TimeT int64 `json:"time_t"`
	} `json:"local_time"`
	ATA struct {
		Table []struct {
			ID  int
			Raw struct{ Value float64 }
		}
	} `json:"ata_smart_attributes"`
	NVMe *struct {
		CriticalWarning float64 `json:"critical_warning"`
		MediaErrors     float64 `json:"media_errors"`
		PercentageUsed  float64 `json:"percentage_used"`
	} `json:"nvme_smart_health_information_log"`
	GrownDefects *float64 `json:"scsi_grown_defect_list"`
	SCSI         struct {
		Read, Write, Verify struct {
			Uncorrected float64 `json:"total_uncorrected_errors"`
		}
	} `json:"scsi_error_counter_log"`
}

// known lists keys that only an output of smartctl has.
var known = []string{"smartctl", "smart_status", "ata_smart_attributes", "nvme_smart_health_information_log", "scsi_error_counter_log"}

// attributes has the counts of ATA drives that should be zero. Raw values from mostCount on contain
// more than a count, and are ignored.
var attributes = map[int]Sign{
	5: Reallocated, 187: MediaError, 197: Unstable, 198: MediaError, 199: LinkErrors,
}

const mostCount = 1 << 32

// readJSON reads a document of smartctl, or an object with several documents by name or time, as
// ceph device get-health-metrics prints it.
func readJSON(d *site.Document) []*snapshot {
	if s, ok := ofDocument(d.Raw, d.At().Line); ok {
		return []*snapshot{s}
	}
	var named map[string]json.RawMessage
	if json.Unmarshal(d.Raw, &named) != nil {
		return nil
	}
	var list []*snapshot
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if s, ok := ofDocument(named[name], d.At().Line); ok {
			list = append(list, s)
		}
	}
	return list
}

// ofDocument reads one object. Values with an unexpected type are left out.
func ofDocument(raw json.RawMessage, line int) (s *snapshot, ok bool) {
	var keys map[string]json.RawMessage
	var v document
	if json.Unmarshal(raw, &keys) != nil || !slices.ContainsFunc(known, func(key string) bool { return keys[key] != nil }) {
		return nil, false
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &v); err != nil && !errors.As(err, &wrong) {
		return nil, false
	}
	s = &snapshot{}
	s.Device, s.Serial, s.At, s.Line = namespace(site.DeviceName(v.Device.Name)), v.Serial, v.Local.TimeT, line
	if v.WWN.NAA > 0 {
		s.WWN = wwn(fmt.Sprintf("%x%06x%09x", v.WWN.NAA, v.WWN.OUI, v.WWN.ID))
	}
	if v.Status != nil {
		s.known = true
		if !v.Status.Passed {
			s.note(Failing, 1, line)
		}
	}
	for _, a := range v.ATA.Table {
		if sign, counts := attributes[a.ID]; counts && a.Raw.Value < mostCount {
			s.note(sign, a.Raw.Value, line)
		}
	}
	if v.NVMe != nil {
		s.note(MediaError, v.NVMe.MediaErrors, line)
		s.note(Worn, v.NVMe.PercentageUsed, line)
		s.note(Failing, v.NVMe.CriticalWarning, line)
	}
	if v.GrownDefects != nil {
		s.note(Reallocated, *v.GrownDefects, line)
	}
	s.note(MediaError, max(v.SCSI.Read.Uncorrected, v.SCSI.Write.Uncorrected, v.SCSI.Verify.Uncorrected), line)
	s.note(Hot, v.Temperature.Current, line)
	return s, true
}
