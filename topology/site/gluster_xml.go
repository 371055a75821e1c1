package site

import (
	"encoding/xml"
	"strings"
)

// gluster --xml wraps everything in cliOutput:
//
//	<cliOutput><volInfo><volumes><volume><name>gv</name><bricks>
//	  <brick uuid="…">host1:/mnt/gv<name>host1:/mnt/gv</name><isArbiter>0</isArbiter></brick></bricks></volume></volumes></volInfo></cliOutput>
//	<cliOutput><volStatus><volumes><volume><volName>gv</volName>
//	  <node><hostname>node1</hostname><path>/mnt/gv</path><device>/dev/loop0</device><sizeTotal>20507914240</sizeTotal></node>…

type output struct {
	Info   []volumeInfo   `xml:"volInfo>volumes>volume"`
	Status []volumeStatus `xml:"volStatus>volumes>volume"`
}

type volumeInfo struct {
	Name   string `xml:"name"`
	Bricks []struct {
		Name string `xml:"name"`
		Text string `xml:",chardata"`
	} `xml:"bricks>brick"`
}

type volumeStatus struct {
	Name  string `xml:"volName"`
	Nodes []struct {
		Host   string `xml:"hostname"`
		Path   string `xml:"path"`
		Device string `xml:"device"`
		Size   string `xml:"sizeTotal"`
	} `xml:"node"`
}

func readXML(t *Text, inv *Inventory) {
	for first := 0; first < t.Len(); first++ {
		if !strings.Contains(t.Line(first), "<cliOutput>") {
			continue
		}
		last, text := first, ""
		for ; last < t.Len(); last++ {
			text += t.Line(last) + "\n"
			if strings.Contains(t.Line(last), "</cliOutput>") {
				break
			}
		}
		var out output
		_, text, _ = strings.Cut(text, "<cliOutput>")
		if err := xml.Unmarshal([]byte("<cliOutput>"+text), &out); err != nil {
			inv.Notef(t.At(first), "the XML of gluster is incomplete or damaged (%v); give the output of gluster again", err)
			return
		}
		if len(out.Info)+len(out.Status) == 0 {
			first = last // output of heal or profile commands, which has no devices
			continue
		}
		if first > 0 && strings.HasPrefix(strings.TrimSpace(t.Line(first-1)), "<?xml") {
			t.Claim(first-1, first)
		}
		out.add(t.At(first), inv)
		t.Claim(first, last)
		first = last
	}
}

func (o *output) add(at At, inv *Inventory) {
	for _, volume := range o.Info {
		for _, b := range volume.Bricks {
			name := strings.TrimSpace(b.Name)
			if name == "" {
				name = strings.TrimSpace(b.Text)
			}
			if v, ok := brick(at, volume.Name, name); ok {
				inv.Volumes = append(inv.Volumes, v)
			}
		}
	}
	for _, volume := range o.Status {
		for _, n := range volume.Nodes {
			if v, ok := brick(at, volume.Name, n.Host+":"+n.Path); ok {
				v.Device, v.SizeBytes = DeviceName(n.Device), parseSize(n.Size)
				inv.Volumes = append(inv.Volumes, v)
			}
		}
	}
}
