// This file reads which NVMe drives a server has: nvme list as text and as
// JSON of versions 1 and 2, nvme id-ctrl as JSON.

package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// readNVMe reads what it understands of a text and claims it.
func readNVMe(t *Text) Inventory {
	var inv Inventory
	readJSONNvme(t, &inv)
	readText(t, &inv)
	return inv
}

// JSON is flat, or since 2.10 nested by subsystem:
//
//	{"Devices": [{"DevicePath": "/dev/nvme0n1", "Firmware": "SU6SM001", "ModelNumber": "…", "SerialNumber": "…", "PhysicalSize": 4000787030016}]}
//	{"Devices": [{"Subsystems": [{"Controllers": [{"SerialNumber": "…", "ModelNumber": "…", "Firmware": "…",
//	  "Namespaces": [{"NameSpace": "nvme0n1", "PhysicalSize": 4000787030016}]}]}]}]}
type controllerObject struct {
	DevicePath, Firmware, ModelNumber, SerialNumber, PhysicalSize Value
	Namespaces                                                    []namespaceObject
}

type namespaceObject struct {
	NameSpace, PhysicalSize Value
}

func readJSONNvme(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var v struct {
			Devices []struct {
				controllerObject
				Subsystems []struct {
					Controllers []controllerObject
					Namespaces  []namespaceObject
				}
			}
		}
		if !d.Into(&v, "Devices") {
			continue
		}
		d.Claim()
		for _, o := range v.Devices {
			if o.DevicePath != "" {
				inv.Devices = append(inv.Devices, o.device(t.Host, d.At(), namespaceObject{o.DevicePath, o.PhysicalSize}))
			}
			for _, s := range o.Subsystems {
				for _, c := range s.Controllers {
					for _, n := range append(c.Namespaces, s.Namespaces...) {
						inv.Devices = append(inv.Devices, c.device(t.Host, d.At(), n))
					}
				}
			}
		}
	}
}

func (c *controllerObject) device(host string, at At, n namespaceObject) Device {
	return Device{
		At: at, Host: host, Kind: Drive, Media: "nvme", Name: DeviceName(n.NameSpace.String()),
		Model: c.ModelNumber.String(), Serial: c.SerialNumber.String(), Firmware: c.Firmware.String(),
		SizeBytes: Bytes(n.PhysicalSize.String(), 1000),
	}
}

// Text is a table; models hold spaces, so that columns are taken from the line
// of dashes:
//
//	Node             SN                   Model                                    Namespace Usage                      Format           FW Rev
//	---------------- -------------------- ---------------------------------------- --------- -------------------------- ---------------- --------
//	/dev/nvme0n1     S4EVNF0M123456       Samsung SSD 970 EVO Plus 1TB             1         500.11  GB /   1.00  TB    512   B +  0 B   2B2QEXM7
var dashes = lazyregexp.New(`-{4,}`)

func readText(t *Text, inv *Inventory) {
	var columns map[string][2]int
	for i, line := range t.All() {
		if strings.HasPrefix(line, "Node ") && strings.Contains(line, " SN ") && strings.Contains(line, "Model") {
			columns = nil
			if rule := t.Line(i + 1); dashes.MatchString(rule) {
				columns = map[string][2]int{}
				for _, at := range dashes.FindAllStringIndex(rule, -1) {
					columns[strings.TrimSpace(cut(line, at[0], at[1]))] = [2]int{at[0], at[1]}
				}
				t.Claim(i, i+1)
			}
			continue
		}
		if columns == nil || !strings.HasPrefix(line, "/dev/nvme") {
			continue
		}
		get := func(name string) string { c := columns[name]; return strings.TrimSpace(cut(line, c[0], c[1])) }
		node, _, _ := strings.Cut(line, " ")
		d := Device{At: t.At(i), Host: t.Host, Kind: Drive, Media: "nvme", Name: DeviceName(node), Serial: get("SN"), Model: get("Model")}
		if words := strings.Fields(line); len(words) > 3 {
			d.Firmware = words[len(words)-1]
		}
		if _, total, ok := strings.Cut(get("Usage"), "/"); ok {
			d.SizeBytes = Bytes(total, 1000)
		}
		inv.Devices = append(inv.Devices, d)
		t.Claim(i, i)
	}
}

func cut(line string, from, to int) string {
	return line[min(from, len(line)):min(to, len(line))]
}
