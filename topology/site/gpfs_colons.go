package site

import (
	"encoding/binary"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Output for programs (-Y) has a header with the names of the fields. Special bytes of a value are
// escaped, a colon as %3A:
//
//	mmlsnsd:nsd:HEADER:version:reserved:reserved:fileSystem:diskName:volumeId:serverList:deviceType:localDiskName:remarks:
//	mmlsnsd:nsd:0:1:::FS1:nsd1:090B54755E4F84E6:server-3.domain.com,server-4.domain.com:dmm:/dev/dm-1:server node:
//	mmlsdisk::HEADER:version:reserved:reserved:nsdName:driverType:sectorSize:failureGroup:metadata:data:status:…:diskSizeKB:diskUID:

// readColons reads lines of mmlsnsd -Y, mmlsdisk -Y and mmdf -Y.
func readColons(t *Text, inv *Inventory) {
	headers := map[string][]string{}
	for i, line := range t.All() {
		parts := strings.Split(strings.TrimSpace(line), ":")
		if len(parts) < 7 || !known(parts[0], parts[1]) {
			if parts[0] == "mmdf" { // totals
				t.Claim(i, i)
			}
			continue
		}
		t.Claim(i, i)
		kind := parts[0] + ":" + parts[1]
		if parts[2] == "HEADER" {
			headers[kind] = parts
			continue
		}
		header := headers[kind]
		if header == nil {
			inv.Notef(t.At(i), "a line of the output of %s -Y comes before the HEADER line; give the whole output with the HEADER line", parts[0])
			continue
		}
		v := volume(t, i, fields(header, parts))
		if v.Name == "" {
			inv.Notef(t.At(i), "a line of the output of %s -Y has no disk name; run the command again", parts[0])
			continue
		}
		inv.Volumes = append(inv.Volumes, v)
	}
}

func known(command, section string) bool {
	switch command {
	case "mmlsnsd", "mmdf":
		return section == "nsd"
	case "mmlsdisk":
		return section == ""
	}
	return false
}

// fields returns the values of a line by their names. A line may be longer than its header.
func fields(header, parts []string) map[string]string {
	f := make(map[string]string, len(header))
	for i, name := range header[:min(len(header), len(parts))] {
		value, err := url.PathUnescape(parts[i])
		if err != nil {
			value = parts[i]
		}
		f[name] = value
	}
	return f
}

func volume(t *Text, i int, f map[string]string) Volume {
	v := Volume{At: t.At(i), System: gpfsSystem, FileSystem: f["fileSystem"], Name: f["diskName"] + f["nsdName"], ID: f["volumeId"] + f["diskUID"]}
	v.Servers = serverList(f["serverList"])
	v.Device = DeviceName(f["localDiskName"])
	if v.Device != "" && len(v.Servers) == 1 { // with -m, -M and -X a line describes one node
		v.Host = v.Servers[0]
	} else {
		v.Ranked = len(v.Servers) > 0
	}
	v.Pool = f["storagePool"]
	kilobytes, _ := strconv.ParseUint(f["diskSizeKB"]+f["diskSize"], 10, 50)
	v.SizeBytes = kilobytes << 10
	v.Created = created(v.ID)
	return v
}

// serverList parses a,b,c. A disk without servers is attached to every node.
func serverList(text string) []string {
	if text == "" || strings.ContainsAny(text, "( ") {
		return nil
	}
	return strings.Split(strings.Trim(text, ","), ",")
}

// created returns the time at which an NSD was made. The ID of an NSD is the address of the node
// that made it, then seconds since 1970, both in hex.
func created(id string) time.Time {
	raw, err := hex.DecodeString(id)
	if err != nil || len(raw) != 8 {
		return time.Time{}
	}
	seconds := int64(binary.BigEndian.Uint32(raw[4:]))
	const firstGPFS, lastSane = 880_000_000, 3_000_000_000 // 1997 to 2065
	if seconds < firstGPFS || seconds > lastSane {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
