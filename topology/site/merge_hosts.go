package site

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
)

// shortNames gives each server the name without its domain, where no two
// servers would share it: tools disagree on domains.
func shortNames(inv *Inventory) func(host string) string {
	domains := map[string]map[string]bool{}
	note := func(host string) {
		name, domain := cutDomain(host)
		if domains[name] == nil {
			domains[name] = map[string]bool{}
		}
		if domain != "" {
			domains[name][domain] = true
		}
	}
	for i := range inv.Devices {
		note(inv.Devices[i].Host)
	}
	for i := range inv.Volumes {
		note(inv.Volumes[i].Host)
		for _, server := range inv.Volumes[i].Servers {
			note(server)
		}
	}
	return func(host string) string {
		if name, _ := cutDomain(host); len(domains[name]) <= 1 {
			host = name
		}
		return Plain(host)
	}
}

// UnknownServer is the name of the server of an output that names none.
const UnknownServer = "unknown-server"

var unsafeRunes = lazyregexp.New(`[^A-Za-z0-9_./@:+-]+`)

// Plain returns a name that can stand in a topology file: without brackets,
// commas and spaces.
func Plain(name string) string {
	return strings.Trim(unsafeRunes.ReplaceAllString(name, "_"), "_")
}

// cutDomain cuts fs1.example.com after fs1. Addresses have no domain.
func cutDomain(host string) (name, domain string) {
	address, _, _ := strings.Cut(host, "@") // of Lustre: 10.0.0.1@o2ib
	if _, err := netip.ParseAddr(address); err == nil {
		return host, ""
	}
	name, domain, _ = strings.Cut(host, ".")
	if name == "" {
		return host, ""
	}
	return name, domain
}

func (s *Site) listHosts() {
	seen := map[string]bool{"": true}
	add := func(host string) {
		if !seen[host] {
			seen[host] = true
			s.Hosts = append(s.Hosts, host)
		}
	}
	for i := range s.Devices {
		add(s.Devices[i].Host)
	}
	for i := range s.Volumes {
		for _, server := range s.Volumes[i].Servers {
			add(server)
		}
	}
	slices.SortFunc(s.Hosts, topology.Compare)
}
