package draft

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// An array is a set of LUNs with the same servers.
type array struct {
	name    string
	servers []string
	luns    []lun
	whole   bool   // the names of LUNs do not contain the name of the array
	body    string // settings after names and servers, as YAML; equal arrays share an entry
}

// arrays groups LUNs into arrays: LUNs with the same prefix in their names and with the same
// servers are one array. If the name of a LUN is a WWN or a serial number, it does not show
// the array; such LUNs are grouped by their servers alone.
func (d *drafter) arrays() []array {
	byKey := map[string]*array{}
	var order []string
	for _, l := range d.luns() {
		prefix, _, _ := splitName(l.name)
		l.prefix = prefix
		places := slices.Clone(l.servers)
		slices.SortFunc(places, topology.Compare)
		whole := isIdentifier(l.name)
		if whole {
			prefix = topology.SharedBy(places)
		}
		key := prefix + " " + strings.Join(places, ",")
		if byKey[key] == nil {
			byKey[key] = &array{name: prefix, servers: places, whole: whole}
			order = append(order, key)
		}
		byKey[key].luns = append(byKey[key].luns, l)
	}
	list := make([]array, 0, len(order))
	for _, key := range order {
		list = append(list, *byKey[key])
	}
	d.nameArrays(list)
	sets := d.sets(list)
	for i := range list {
		list[i].label()
		list[i].body = d.body(&list[i], sets)
		for _, server := range list[i].servers {
			d.server(server)
		}
	}
	if len(list) > 0 {
		d.check("LUNs with the same servers%s are listed as one array. The controllers are unknown: if the array has controllers, add the setting \"controllers\"", arrayCondition(list))
	}
	slices.SortStableFunc(list, func(a, b array) int { return topology.Compare(a.name, b.name) })
	return list
}

// arrayCondition returns the second condition for LUNs of one array, as text for the head of the
// draft; empty if only the servers were compared.
func arrayCondition(list []array) string {
	if slices.ContainsFunc(list, func(a array) bool { return !a.whole }) {
		return " and similar names"
	}
	return ""
}

// nameArrays gives each array a unique name, which differs from the names of all servers.
func (d *drafter) nameArrays(list []array) {
	taken := map[string]bool{}
	for _, host := range d.site.Hosts {
		taken[safe(host)] = true
	}
	for i := range list {
		name := list[i].name
		if !list[i].whole {
			name = safe(cmp.Or(name, "array"))
		}
		try := name
		for n := 2; taken[try] || try == ""; n++ {
			try = fmt.Sprintf("%s-%d", cmp.Or(name, "array"), n)
		}
		taken[try] = true
		list[i].name = try
	}
}

// label gives each LUN a unique label within its array: the number in its name, or else kind
// and number, or else the whole name.
func (a *array) label() {
	slices.SortStableFunc(a.luns, func(x, y lun) int { return topology.Compare(x.name, y.name) })
	schemes := []func(lun) string{numberLabel, kindLabel, func(l lun) string { return safe(l.name) }}
	if a.whole {
		schemes = schemes[2:]
	}
	for _, scheme := range schemes {
		seen := map[string]bool{}
		good := true
		for i := range a.luns {
			l := scheme(a.luns[i])
			good = good && l != "" && !seen[strings.TrimLeft(l, "0")]
			seen[strings.TrimLeft(l, "0")] = true
			a.luns[i].label = l
		}
		if good {
			return
		}
	}
	for i := range a.luns {
		a.luns[i].label = fmt.Sprintf("lun%d", i)
	}
}

func numberLabel(l lun) string {
	_, _, number := splitName(l.name)
	return number
}

func kindLabel(l lun) string {
	_, kind, number := splitName(l.name)
	return kind + number
}

// body writes the settings of an array after its names and servers.
func (d *drafter) body(a *array, sets []map[string]string) string {
	labels := make([]string, len(a.luns))
	models, sizes, set := make([]string, len(a.luns)), make([]string, len(a.luns)), make([]string, len(a.luns))
	for i, l := range a.luns {
		labels[i], models[i], sizes[i] = l.label, l.model, size(l.bytes)
		for _, s := range sets {
			set[i] = strings.Trim(set[i]+" "+s[l.name], " ")
		}
	}
	text := "    luns: " + pattern(labels, 3) + "\n"
	if a.whole {
		text += "    lun_names: whole\n"
	}
	text += a.priority() + partition("sets", set, labels, 2)
	text += partition("models", models, labels, 2)
	text += partition("sizes", sizes, labels, 2)
	text += d.devices(a)
	if distinct := slices.Compact(slices.Sorted(slices.Values(models))); len(distinct) > 1 && !slices.Contains(distinct, "") {
		text += "    peers: model\n"
	}
	return text
}

// priority writes the order of the servers for each LUN; empty if an order is unknown. It
// writes the first of these forms that is true:
//
//   - "rotate", if LUN i begins with server i mod n;
//   - one order for all LUNs;
//   - a table of orders with their LUNs.
func (a *array) priority() string {
	orders := make([]string, len(a.luns))
	for i, l := range a.luns {
		if !l.ranked {
			return ""
		}
		places := make([]string, len(l.servers))
		for k, server := range l.servers {
			places[k] = fmt.Sprint(1 + slices.Index(a.servers, server))
		}
		orders[i] = "[" + strings.Join(places, ", ") + "]"
	}
	if a.rotates(orders) {
		return "    priority: rotate\n"
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(orders)))
	if len(distinct) == 1 {
		return "    priority: " + orders[0] + "\n"
	}
	slices.SortFunc(distinct, topology.Compare)
	text := "    priority:\n"
	for _, order := range distinct {
		var some []string
		for i, o := range orders {
			if o == order {
				some = append(some, a.luns[i].label)
			}
		}
		text += keyed(some, order)
	}
	return text
}

// keyed writes a line of a table, with a pattern of LUNs as key. If the pattern is too long
// for a key, keyed writes several lines.
func keyed(labels []string, value string) string {
	text := ""
	for len(labels) > 0 {
		n := len(labels)
		for n > 1 && len(topology.Fold(labels[:n])) > wide {
			n /= 2
		}
		text += "      " + fmt.Sprintf("%q", topology.Fold(labels[:n])) + ": " + value + "\n"
		labels = labels[n:]
	}
	return text
}

// rotates reports whether the servers of LUN i are i mod n, i+1 mod n, and so on.
func (a *array) rotates(orders []string) bool {
	n := len(a.servers)
	if n < 2 || len(a.luns) < 2 {
		return false
	}
	for i, l := range a.luns {
		var number int
		if _, err := fmt.Sscanf(l.label, "%d", &number); err != nil || !allDigits(l.label) {
			return false
		}
		places := make([]string, n)
		for k := range n {
			places[k] = fmt.Sprint(1 + (number+k)%n)
		}
		if orders[i] != "["+strings.Join(places, ", ")+"]" {
			return false
		}
	}
	return true
}

func allDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
