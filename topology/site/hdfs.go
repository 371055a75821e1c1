// This file reads the datanodes of HDFS and their volumes, if the output lists them: dfsadmin
// -report, and the JMX of namenodes and datanodes.

package site

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

const hdfsSystem = "hdfs"

// readHDFS reads the datanodes in a text, and claims their lines.
func readHDFS(t *Text) Inventory {
	var inv Inventory
	readJMX(t, &inv)
	readReportHdfs(t, &inv)
	return inv
}

// dfsadmin -report has a block for each datanode:
//
//	Configured Capacity: 5000003584 (4.66 GB)
//	-------------------------------------------------
//	Live datanodes (1):
//
//	Name: 172.17.0.2:50010 (01f9173ab34a)
//	Hostname: 01f9173ab34a
//	Rack: /rack1
//	Configured Capacity: 5000003584 (4.66 GB)
var (
	nameLine   = lazyregexp.New(`^Name: (\S+?):\d+(?: \((\S+)\))?$`)
	reportLine = lazyregexp.New(`^(?:Hostname|Rack|Decommission Status|Configured Capacity|Present Capacity|(?:Non )?DFS [\w%]+|Configured Cache Capacity|Cache [\w%]+|Xceivers|Last contact|Last Block Report|Num of Blocks|Live datanodes|Dead datanodes|Decommissi\w+ datanodes|Entering Maintenance datanodes|In Maintenance datanodes|Under replicated blocks|Blocks with corrupt replicas|Missing blocks|Replicated Blocks|Erasure Coded Block Groups|Low redundancy [\w ]+|Pending deletion blocks|Block groups with [\w ]+|Datanodes available|Safe mode is ON|Report for|Missing block groups)\b`)
)

func readReportHdfs(t *Text, inv *Inventory) {
	open := -1 // index of the datanode whose lines follow
	seen := false
	for i, line := range t.All() {
		line = strings.TrimSpace(line)
		if m := nameLine.FindStringSubmatch(line); m != nil {
			host := m[2]
			if host == "" {
				host = m[1]
			}
			open = len(inv.Volumes)
			inv.Volumes = append(inv.Volumes, Volume{At: t.At(i), System: hdfsSystem, Name: "datanode " + host, Host: host, Servers: []string{host}})
			t.Claim(i, i)
			continue
		}
		if !reportLine.MatchString(line) {
			continue
		}
		if !seen && open < 0 && !strings.HasPrefix(line, "Configured Capacity:") && !strings.HasPrefix(line, "Safe mode") {
			continue // the report begins with the capacity of all datanodes
		}
		seen = true
		t.Claim(i, i)
		key, value, _ := Field(line)
		if open >= 0 {
			setField(&inv.Volumes[open], key, value)
		}
	}
}

func setField(v *Volume, key, value string) {
	switch key {
	case "Hostname":
		v.Name, v.Host, v.Servers = "datanode "+value, value, []string{value}
	case "Configured Capacity":
		bytes, _, _ := strings.Cut(value, " ")
		v.SizeBytes = Bytes(bytes, 1000)
	case "Rack":
		v.Pool = value
	}
}

// JMX is a list of beans. The datanodes and volumes are text within the beans, which is JSON again:
//
//	{"beans": [{"name": "Hadoop:service=NameNode,name=NameNodeInfo", "LiveNodes": "{\"host1:9866\": {\"capacity\": 123}}"},
//	           {"name": "Hadoop:service=DataNode,name=DataNodeInfo", "VolumeInfo": "{\"/data/1\": {\"freeSpace\": 1}}"}]}
func readJMX(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var v struct {
			Beans []struct {
				Name, LiveNodes, VolumeInfo Value
				Host                        Value `json:"tag.Hostname"`
				Capacity                    Value
			}
		}
		if !d.Into(&v, "beans") {
			continue
		}
		d.Claim()
		host := ""
		for _, b := range v.Beans {
			if host == "" {
				host = b.Host.String() // the host of a bean comes before the host of the text
			}
		}
		if host == "" {
			host = t.Host
		}
		before := len(inv.Volumes)
		for _, b := range v.Beans {
			addNodes(d.At(), b.LiveNodes.String(), inv)
			addVolumes(d.At(), host, b.VolumeInfo.String(), inv)
			if strings.Contains(b.Name.String(), "name=FSDatasetState") && host != "" {
				inv.Volumes = append(inv.Volumes, Volume{At: d.At(), System: hdfsSystem, Name: "datanode " + host, Host: host, Servers: []string{host}, SizeBytes: Bytes(b.Capacity.String(), 1000)})
			}
		}
		if len(inv.Volumes) == before {
			inv.Notef(d.At(), "this JMX output has no LiveNodes, VolumeInfo or FSDatasetState, so it names no datanode; give the whole output of /jmx, or the output of `hdfs dfsadmin -report`")
		}
	}
}

func addNodes(at At, text string, inv *Inventory) {
	var nodes map[string]struct{ Capacity Value }
	if text == "" || json.Unmarshal([]byte(text), &nodes) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		host, _, _ := strings.Cut(name, ":")
		inv.Volumes = append(inv.Volumes, Volume{At: at, System: hdfsSystem, Name: "datanode " + host, Host: host, Servers: []string{host}, SizeBytes: Bytes(nodes[name].Capacity.String(), 1000)})
	}
}

func addVolumes(at At, host, text string, inv *Inventory) {
	var volumes map[string]json.RawMessage
	if text == "" || host == "" || json.Unmarshal([]byte(text), &volumes) != nil {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(volumes)) {
		inv.Volumes = append(inv.Volumes, Volume{At: at, System: hdfsSystem, Name: host + ":" + path, Host: host, Servers: []string{host}})
	}
}
