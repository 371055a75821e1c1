// This file reads the metrics of exporters about drives and OSDs: the text that they serve, and the
// JSON of Prometheus' own API.

package site

import (
	"net"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// Lines of an exporter; the label instance comes from Prometheus:
//
//	node_disk_info{device="sda",major="8",minor="0",model="ST16000NM001G",revision="SN03",serial="ZL2A9XYZ",wwn="0x5000c500a1b2c3d4"} 1
//	ceph_osd_metadata{ceph_daemon="osd.0",device_class="hdd",hostname="ceph1"} 1
//	ceph_disk_occupation{ceph_daemon="osd.0",device="/dev/sda",instance="ceph1",db_device="/dev/nvme0n1"} 1
//
// The API gives {"status": "success", "data": {"result": [{"metric": {"__name__": "node_disk_info",
// …}}]}}.
var (
	sample     = lazyregexp.New(`^([a-zA-Z_:][\w:]*)\{(.*)\}\s+[-+\w.]+(?:\s+\d+)?\s*$`)
	label      = lazyregexp.New(`(\w+)="((?:[^"\\]|\\.)*)"`)
	bareSample = lazyregexp.New(`^[a-z_:][\w:]*\s+[-+\d.eE]+(?:NaN|Inf)?\s*$`)
)

// names are the series that are queried from Prometheus.
var names = []string{"node_disk_info", "ceph_osd_metadata", "ceph_disk_occupation", "smartctl_device"}

// readMetrics reads the series about devices in a text, and claims the lines.
func readMetrics(t *Text) Inventory {
	var inv Inventory
	readAPI(t, &inv)
	found := false
	for i, line := range t.All() {
		m := sample.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		labels := map[string]string{}
		for _, l := range label.FindAllStringSubmatch(m[2], -1) {
			labels[l[1]] = unescape(l[2])
		}
		if addSeries(t.Host, t.At(i), m[1], labels, &inv) {
			found = true
			t.Claim(i, i)
		}
	}
	if found {
		claimOthers(t)
	}
	return inv
}

// claimOthers claims the other series of an exporter, so that they are not reported as unknown.
func claimOthers(t *Text) {
	for i, line := range t.All() {
		if sample.MatchString(line) || bareSample.MatchString(line) || strings.HasPrefix(line, "# HELP ") || strings.HasPrefix(line, "# TYPE ") {
			t.Claim(i, i)
		}
	}
}

func unescape(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(text)
}

func readAPI(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var query struct {
			Data struct {
				Result []struct{ Metric map[string]string }
			}
		}
		var series struct{ Data []map[string]string }
		var all []map[string]string
		switch {
		case d.Into(&series, "status", "data") && len(series.Data) > 0:
			all = series.Data
		case d.Into(&query, "status", "data"):
			for _, r := range query.Data.Result {
				all = append(all, r.Metric)
			}
		}
		known := false
		for _, labels := range all {
			known = addSeries(t.Host, d.At(), labels["__name__"], labels, inv) || known
		}
		if known {
			d.Claim()
		}
	}
}

// addSeries adds the sighting of a series, and reports whether the series describes a device.
func addSeries(host string, at At, name string, l map[string]string, inv *Inventory) bool {
	host = firstMetrics(hostOf(l), host) // the labels of a series come before the server of the text
	switch name {
	case "node_disk_info":
		inv.Devices = append(inv.Devices, disk(host, at, l))
	case "smartctl_device":
		inv.Devices = append(inv.Devices, Device{
			At: at, Host: host, Name: DeviceName(l["device"]), Kind: Drive, Model: l["model_name"], Serial: l["serial_number"], Firmware: l["firmware_version"],
		})
	default:
		return takeOSD(at, name, l, inv)
	}
	return true
}

// takeOSD adds the sighting of a series of Ceph's exporter.
func takeOSD(at At, name string, l map[string]string, inv *Inventory) bool {
	daemon := l["ceph_daemon"]
	if daemon == "" {
		return false
	}
	switch name {
	case "ceph_osd_metadata":
		inv.Volumes = append(inv.Volumes, osdMetrics(at, daemon, l["hostname"], "", l["device_class"]))
	case "ceph_disk_occupation", "ceph_disk_occupation_human":
		inv.Volumes = append(inv.Volumes, osdMetrics(at, daemon, firstMetrics(l["exported_instance"], bare(l["instance"])), DeviceName(l["device"]), ""))
	default:
		return false
	}
	return true
}

func disk(host string, at At, l map[string]string) Device {
	d := Device{
		At: at, Host: host, Name: l["device"], WWN: l["wwn"], Model: l["model"], Serial: l["serial"], Firmware: l["revision"],
	}
	if l["major"] != "" {
		d.Number = l["major"] + ":" + l["minor"]
	}
	switch {
	case strings.HasPrefix(d.Name, "dm-"), strings.HasPrefix(d.Name, "md"):
		d.Kind = Stacked
	case strings.HasPrefix(d.Name, "sr"), strings.HasPrefix(d.Name, "loop"), strings.HasPrefix(d.Name, "zram"):
		d.Kind = Media
	case strings.HasPrefix(d.Name, "nvme"):
		d.Kind, d.Media = Drive, "nvme"
	case strings.HasPrefix(d.Name, "sd"), strings.HasPrefix(d.Name, "vd"):
		d.Kind = Drive
	}
	return d
}

func osdMetrics(at At, daemon, host, device, class string) Volume {
	v := Volume{At: at, System: "ceph", Name: daemon, ID: strings.TrimPrefix(daemon, "osd."), Host: host, Device: device, Pool: class}
	if host != "" {
		v.Servers = []string{host}
	}
	return v
}

// hostOf returns the server that was scraped: nodename or node if a site adds it, else the instance
// without its port.
func hostOf(l map[string]string) string {
	return firstMetrics(firstMetrics(l["nodename"], l["node"]), bare(l["instance"]))
}

func bare(instance string) string {
	if host, _, err := net.SplitHostPort(instance); err == nil {
		return host
	}
	return instance
}

func firstMetrics(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
