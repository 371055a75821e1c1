package draft

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// renderArrays writes the entries of arrays. Adjacent arrays share an entry if they have the
// same settings, the same number of servers, and no server in common.
func renderArrays(list []array) string {
	var b strings.Builder
	if len(list) > 0 {
		b.WriteString("\narrays:\n")
	}
	for i := 0; i < len(list); {
		n := 1
		for i+n < len(list) && list[i+n].body == list[i].body && len(list[i+n].servers) == len(list[i].servers) && disjoint(list[i:i+n+1]) {
			n++
		}
		writeArrays(&b, list[i:i+n])
		i += n
	}
	return b.String()
}

// disjoint reports whether no two arrays share a server.
func disjoint(list []array) bool {
	seen := map[string]bool{}
	for _, a := range list {
		for _, server := range a.servers {
			if seen[server] {
				return false
			}
			seen[server] = true
		}
	}
	return true
}

func writeArrays(b *strings.Builder, list []array) {
	var names, servers []string
	for _, a := range list {
		names = append(names, a.name)
		for _, server := range a.servers {
			servers = append(servers, safe(server))
		}
	}
	b.WriteString("  - names: " + pattern(names, 3) + "\n")
	b.WriteString("    servers: " + pattern(servers, 3) + "\n")
	if len(list) > 1 {
		b.WriteString("    servers_per_array: " + number(len(list[0].servers)) + "\n")
	}
	b.WriteString(list[0].body)
}

// renderDrives writes the entries of drives. Servers with the same drives share an entry.
func renderDrives(list []drives) string {
	var b strings.Builder
	if len(list) > 0 {
		b.WriteString("\ndrives:\n")
	}
	done := make([]bool, len(list))
	for i := range list {
		if done[i] {
			continue
		}
		var servers []string
		for k := i; k < len(list); k++ {
			if !done[k] && list[k].body == list[i].body {
				done[k] = true
				servers = append(servers, list[k].server)
			}
		}
		b.WriteString("  - servers: " + pattern(servers, 3) + "\n" + list[i].body)
	}
	return b.String()
}

func renderHosts(hosts []string) string {
	if len(hosts) == 0 {
		return ""
	}
	slices.SortFunc(hosts, topology.Compare)
	return "\nhosts: " + pattern(hosts, 1) + "\n"
}
