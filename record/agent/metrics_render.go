package agent

const (
	millisInSecond     = 1000
	hundredthsInSecond = 100
)

// recordFamilies are of the sample as a whole. An alert on its age finds a
// recorder that answers and samples no longer.
var recordFamilies = []family[moment]{
	{"limpet_sample_timestamp_seconds", gauge, "Time of the sample, in seconds since 1970.", func(m *moment) float64 {
		return float64(m.time.UnixMilli()) / millisInSecond
	}},
	{"limpet_uptime_seconds", gauge, "Time since the machine was started.", func(m *moment) float64 {
		return float64(m.uptime) / hundredthsInSecond
	}},
}

// hostFamilies name the host as its files do.
var hostFamilies = []family[string]{
	{"limpet_record_info", gauge, "Name of the recorded host, as a label; the value is always 1.", func(*string) float64 { return 1 }},
}

// render writes a sample.
func (e *Exporter) render(out exposition, m *moment) []byte {
	e.writeDisks(out, m.disks, m.completed)
	writeInterfaces(out, m.interfaces)
	writeFaults(out, m.faults)
	writePeers(out, m.tcp)
	e.writeLatencies(out, m)
	e.writeCost(out)
	writeFamilies(out, recordFamilies, []moment{*m}, []labelSet{nil})
	writeFamilies(out, hostFamilies, []string{e.host}, []labelSet{{"host", e.host}})
	return out.bytes()
}
