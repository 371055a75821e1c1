package table

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// MaxClients is the greatest number of clients of a server that a row names. The traffic of all
// other clients is one entry without a name. The limit keeps rows and saved states small.
const MaxClients = 12

// maxClientName is the greatest length of a client's name, in bytes.
const maxClientName = 64

// ClientTraffic is the traffic between a server and a client.
type ClientTraffic struct {
	Name           string  // empty: all clients of the server that are not named
	BytesPerSecond float64 // both directions together
}

// NewClientTraffic returns the entries of a row for a server. The caller passes the traffic of each
// client, in bytes per second. The MaxClients clients with the largest traffic get an entry each.
// The other clients share one entry. The entries are sorted by name.
func NewClientTraffic(all map[string]float64) []ClientTraffic {
	list := make([]ClientTraffic, 0, len(all))
	for name, bytes := range all {
		list = append(list, ClientTraffic{name, bytes})
	}
	slices.SortFunc(list, func(a, b ClientTraffic) int {
		return cmp.Or(cmp.Compare(b.BytesPerSecond, a.BytesPerSecond), cmp.Compare(a.Name, b.Name))
	})
	if len(list) > MaxClients {
		rest := ClientTraffic{}
		for i := len(list) - 1; i >= MaxClients; i-- { // add the smallest numbers first, so that the rounding error is small
			rest.BytesPerSecond += list[i].BytesPerSecond
		}
		list = append(list[:MaxClients], rest)
	}
	for i := range list {
		list[i].Name = list[i].Name[:min(len(list[i].Name), maxClientName)]
	}
	slices.SortFunc(list, func(a, b ClientTraffic) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// HasClients reports whether the row has the traffic of clients for at least one server.
func (r *Row) HasClients() bool {
	return slices.ContainsFunc(r.Gauges, func(s ServerGauges) bool { return len(s.Clients) > 0 })
}

// MaxClientBytes returns the greatest number of bytes that AppendClients appends for this number of
// servers.
func MaxClientBytes(servers int) int {
	return binary.MaxVarintLen64 + servers*(2*binary.MaxVarintLen64+(MaxClients+1)*(binary.MaxVarintLen64+maxClientName+8))
}

// AppendClients encodes the traffic of a row between servers and clients, and appends it to dst.
// Logs of rows use this form:
//
//	number of servers with the traffic of clients (varint)
//	for each of these servers:
//	  number of the server, number of entries (varints)
//	  for each entry:
//	    length of the name (varint), name, BytesPerSecond (64-bit float)
func (r *Row) AppendClients(dst []byte) []byte {
	n := 0
	for s := range r.Gauges {
		if len(r.Gauges[s].Clients) > 0 {
			n++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(n))
	for s := range r.Gauges {
		clients := r.Gauges[s].Clients
		if len(clients) == 0 {
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(s))
		dst = binary.AppendUvarint(dst, uint64(len(clients)))
		for _, c := range clients {
			dst = binary.AppendUvarint(dst, uint64(len(c.Name)))
			dst = append(dst, c.Name...)
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(c.BytesPerSecond))
		}
	}
	return dst
}

// TakeClients reads the output of AppendClients into a row, and returns the bytes after this output.
// It returns false if the bytes are damaged. Call it after TakeGauges, which clears all gauges.
func (r *Row) TakeClients(b []byte) (rest []byte, ok bool) {
	d := gaugeDecoder{rest: b}
	servers := uint64(len(r.Gauges))
	for range d.readBelow(servers + 1) {
		s, entries := d.readBelow(servers), d.readBelow(MaxClients+2)
		var clients []ClientTraffic
		for range entries {
			name := d.text(d.readBelow(maxClientName + 1))
			bytes := math.Float64frombits(d.bytes(8))
			if d.failed = d.failed || !(bytes >= 0) || math.IsInf(bytes, 1); d.failed {
				break
			}
			clients = append(clients, ClientTraffic{name, bytes})
		}
		if d.failed {
			return nil, false
		}
		r.Gauges[s].Clients = clients
	}
	return d.rest, !d.failed
}

func (d *gaugeDecoder) text(length uint64) string {
	if d.failed || uint64(len(d.rest)) < length {
		d.failed = true
		return ""
	}
	text := string(d.rest[:length])
	d.rest = d.rest[length:]
	return text
}
