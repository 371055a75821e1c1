package tool

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// nvmePrint reads the output of the command `nvme smart-log` for one or more drives, as text or
// JSON, one drive after the other:
//
//	Smart Log for NVME device:nvme0 namespace-id:ffffffff
//	critical_warning                        : 0
//	temperature                             : 37 C
//	host_read_commands                      : 313,528,805
//	controller_busy_time                    : 8284
//
// The JSON of a log does not name the drive. The name of the drive is on the line before the JSON
// (/dev/nvme0, ==> nvme0 <==). Or the log is a member of an object, and the name of the member is
// the name of the drive. A smart-log has no latency. In place of a latency, limpet uses the busy
// time of the controller divided by the number of requests.
var nvmePrint = printFormat{
	name:  "nvme smart-log",
	signs: []Sign{{Texts: []string{"controller_busy_time"}}, {Texts: []string{"Controller Busy Time"}}},
	open: func(b *printBuilder) printReader {
		n := &nvmeLogs{b: b}
		return printReader{line: n.line, json: n.json, end: n.end}
	},
}

// The metrics of a smart-log.
var (
	busyPerRequest = look.Metric{Name: "busy time per request", Unit: "ms", Role: look.HighIsSlow}
	temperature    = look.Metric{Name: "temperature", Unit: "°C", Role: look.Heat}
)

// nvmeErrors are the counts of a smart-log that are 0 for a healthy drive.
var nvmeErrors = []struct{ key, name string }{
	{"critical_warning", "critical warning"},
	{"media_errors", "media errors"},
	{"warning_temp_time", "minutes above the warning temperature"},
	{"critical_comp_time", "minutes above the critical temperature"},
	{"thm_temp1_total_time", "seconds of light throttling because of heat"},
	{"thm_temp2_total_time", "seconds of heavy throttling because of heat"},
}

// nvmeNames maps the names of values in the text of nvme-cli to their names in its JSON, if the
// names differ.
var nvmeNames = map[string]string{
	"warning_temperature_time": "warning_temp_time", "critical_composite_temperature_time": "critical_comp_time",
	"thermal_management_t1_total_time": "thm_temp1_total_time", "thermal_management_t2_total_time": "thm_temp2_total_time",
}

// nvmeLogs is the state of the reader of smart-logs.
type nvmeLogs struct {
	b      *printBuilder
	name   string // name of the next drive; empty if unknown
	values map[string]float64
	drives int // number of drives so far
}

var (
	nvmeHead    = lazyregexp.New(`(?i)smart log for nvme device:\s*(\S+)`)
	nvmeName    = lazyregexp.New(`\b(nvme\d+(?:n\d+)?)\b`)
	nvmeValue   = lazyregexp.New(`^\s*([A-Za-z][\w ]*?)\s*:\s*(0x[0-9a-fA-F]+|[\d.,']+)`)
	nvmeGrouped = lazyregexp.New(`^\d{1,3}(?:[.,']\d{3})+$`)
	nvmeFirst   = lazyregexp.New(`^\s*critical_warning\s*:`)
)

func (n *nvmeLogs) line(line string) error {
	if m := nvmeHead.FindStringSubmatch(line); m != nil {
		n.end()
		n.name = strings.TrimPrefix(m[1], "/dev/")
		return nil
	}
	m := nvmeValue.FindStringSubmatch(line)
	if m == nil {
		if name := nvmeName.FindString(line); name != "" {
			n.end()
			n.name = name
		}
		return nil
	}
	if nvmeFirst.MatchString(line) {
		name := n.name
		if len(n.values) > 0 {
			n.end()
			name = ""
		}
		n.name = name
	}
	if n.values == nil {
		n.values = map[string]float64{}
	}
	key := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(m[1]), " ", "_"))
	if name, ok := nvmeNames[key]; ok {
		key = name
	}
	text := m[2]
	if nvmeGrouped.MatchString(text) { // a number such as 313,528,805, possibly with the separator of another language
		text = strings.NewReplacer(",", "", "'", "", ".", "").Replace(text)
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		if unit := strings.TrimSpace(line[len(m[0]):]); strings.HasPrefix(unit, "°F") {
			v = (v - 32) / 1.8
		}
		if _, known := n.values[key]; !known {
			n.values[key] = v
		}
	}
	return nil
}

// json reads one log, a list of logs, or an object with one member for each drive. The name of a
// member is the name of the drive, and its value is the log.
func (n *nvmeLogs) json(document []byte) error {
	n.end()
	var list []map[string]any
	var object map[string]any
	if json.Unmarshal(document, &object) == nil {
		list = []map[string]any{object}
	} else if err := json.Unmarshal(document, &list); err != nil {
		return err
	}
	for _, o := range list {
		n.object(o)
	}
	return nil
}

func (n *nvmeLogs) object(o map[string]any) {
	if _, ok := o["controller_busy_time"]; !ok {
		for _, name := range sortedKeys(o) {
			if inner, ok := o[name].(map[string]any); ok {
				if _, has := inner["controller_busy_time"]; has {
					n.name = strings.TrimPrefix(name, "/dev/")
					n.object(inner)
				}
			}
		}
		return
	}
	for _, key := range []string{"device", "name", "DevicePath"} {
		if name, ok := o[key].(string); ok {
			n.name = strings.TrimPrefix(name, "/dev/")
		}
	}
	n.values = map[string]float64{}
	for key, v := range o {
		switch v := v.(type) {
		case float64:
			n.values[key] = v
		case string:
			if x, ok := parseNumber(v); ok {
				n.values[key] = x
			}
		case map[string]any: // nvme-cli 2.11 prints critical_warning as an object
			if x, ok := v["value"].(float64); ok {
				n.values[key] = x
			}
		}
	}
	const zeroCelsius = 273 // the JSON has whole kelvins
	if t, ok := n.values["temperature"]; ok {
		n.values["temperature"] = t - zeroCelsius
	}
	n.end()
}

// end adds a look with the sample of the current drive.
func (n *nvmeLogs) end() {
	v := n.values
	n.values = nil
	busy, ok := v["controller_busy_time"]
	if !ok {
		return
	}
	n.drives++
	name := n.name
	n.name = ""
	if name == "" {
		name = unnamed(n.b.file, "drive", n.drives)
	}
	n.b.begin(name, n.b.clock, look.SinceStart)
	s := look.Sample{Component: name, Kind: "nvme drives (smart-log)"}
	const msPerMinute, unitKB = 60e3, 512 // a data unit is 1,000 blocks of 512 bytes, which is 512 kB
	requests := v["host_read_commands"] + v["host_write_commands"]
	s.Counters = []look.Counter{
		{Metric: busyPerRequest, Sum: busy * msPerMinute, Count: requests},
		{Metric: look.Requests, Sum: requests, Count: look.PerSecond},
		{Metric: look.ReqSize, Sum: (v["data_units_read"] + v["data_units_written"]) * unitKB, Count: requests},
	}
	if hours := v["power_on_hours"]; hours > 0 {
		n.b.looks[len(n.b.looks)-1].Seconds = hours * 3600
	}
	if t, ok := v["temperature"]; ok {
		value(&s, temperature, t)
	}
	for _, e := range nvmeErrors {
		if x, ok := v[e.key]; ok {
			value(&s, look.Metric{Name: e.name, Role: look.Errors}, x)
		}
	}
	n.b.add(s)
}
