package site

import (
	"encoding/xml"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// Where Pacemaker runs the targets, crm_mon -X says which node has each:
//
//	<resource id="ost0001-es01a" resource_agent="ocf::ddn:lustre-server" role="Started"><node name="vm01"/></resource>

var resourceID = lazyregexp.New(`^(ost|mdt)([0-9a-f]{4})-(\w+)$`)

func readPacemaker(t *Text, inv *Inventory) {
	first, last, text := xmlBlock(t, "<crm_mon", "</crm_mon>")
	if text == "" {
		return
	}
	t.Claim(first, last)
	decoder := xml.NewDecoder(strings.NewReader(text))
	var open Volume
	for {
		token, err := decoder.Token()
		if err != nil {
			return
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "resource":
			open = resource(t.At(first), start)
		case "node":
			if open.Name != "" {
				inv.Volumes = append(inv.Volumes, serve(open, xmlAttribute(start, "name")))
				open = Volume{}
			}
		}
	}
}

func resource(at At, start xml.StartElement) Volume {
	m := resourceID.FindStringSubmatch(xmlAttribute(start, "id"))
	if m == nil || !strings.Contains(xmlAttribute(start, "resource_agent"), "lustre") {
		return Volume{}
	}
	v, _ := lustreTarget(at, m[3]+"-"+strings.ToUpper(m[1])+m[2])
	return v
}

func xmlAttribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// xmlBlock returns the lines from one tag to another.
func xmlBlock(t *Text, begin, end string) (first, last int, text string) {
	var b strings.Builder
	first = -1
	for i, line := range t.All() {
		if first < 0 && strings.Contains(line, begin) {
			first = i
		}
		if first < 0 {
			continue
		}
		b.WriteString(line + "\n")
		if strings.Contains(line, end) {
			return first, i, b.String()
		}
	}
	return 0, 0, ""
}
