package kernel

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// addresses returns the addresses of the machine, sorted, without addresses that every machine has.
// They come from the running kernel, so the list is empty if Root is not "/".
func (k *Kernel) addresses() ([]sysstat.Address, error) {
	if k.opts.Root != "/" {
		return nil, nil
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("network addresses cannot be read: %w", err)
	}
	var list []sysstat.Address
	for _, nic := range interfaces {
		addrs, _ := nic.Addrs() // an error means that the interface has disappeared
		for _, a := range addrs {
			list = appendAddress(list, a, nic.Name)
		}
	}
	return sortAddresses(list), nil
}

// appendAddress appends an address, unless every machine may have it.
func appendAddress(list []sysstat.Address, a net.Addr, nic string) []sysstat.Address {
	prefix, err := netip.ParsePrefix(a.String())
	if addr := prefix.Addr(); err == nil && !addr.IsLoopback() && !addr.IsMulticast() && !addr.IsUnspecified() {
		list = append(list, sysstat.Address{Addr: addr, Interface: nic})
	}
	return list
}

// sortAddresses sorts addresses, and keeps each address once even if several interfaces have it.
func sortAddresses(list []sysstat.Address) []sysstat.Address {
	slices.SortFunc(list, func(a, b sysstat.Address) int {
		return cmp.Or(a.Addr.Compare(b.Addr), cmp.Compare(a.Interface, b.Interface))
	})
	return slices.CompactFunc(list, func(a, b sysstat.Address) bool { return a.Addr == b.Addr })
}
