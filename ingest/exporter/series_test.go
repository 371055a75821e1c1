package exporter

import (
	"fmt"
	"strings"
	"testing"
)

// splitSeries parses name{a=b,c=d}.
func splitSeries(text string) (list []Label) {
	name, rest, _ := strings.Cut(text, "{")
	list = append(list, Label{Name: []byte("__name__"), Value: []byte(name)})
	for _, pair := range strings.Split(strings.TrimSuffix(rest, "}"), ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			list = append(list, Label{Name: []byte(key), Value: []byte(value)})
		}
	}
	return list
}

// TestTakenApart: a series is parsed by its name and labels, and is not used
// where one is missing.
func TestTakenApart(t *testing.T) {
	for text, want := range map[string]string{
		"node_disk_reads_completed_total{device=sda,instance=fs1:9100}":               "1 0 fs1:9100 sda",
		"node_disk_reads_completed_total{device=sda}":                                 "",
		"node_disk_reads_completed_total{instance=fs1}":                               "",
		"node_boot_time_seconds{instance=fs1}":                                        "0 0 fs1 ",
		"limpet_tcp_sockets{instance=fs1,remote=10.0.0.3,side=dialled}":               "3 0 fs1 10.0.0.3 dialled",
		"limpet_tcp_sockets{instance=fs1,remote=10.0.0.3}":                            "",
		"node_disk_info{instance=fs1,device=sda,major=8,minor=0,path=x,job=j,rack=a}": "1 17 fs1 sda major=8 minor=0",
		"up{instance=fs1}": "",
	} {
		var b Batch
		b.Reset("instance")
		got := ""
		if b.Begin(splitSeries(text)) {
			b.Sample(1, 2)
			b.Each(func(s *Series) {
				got = fmt.Sprintf("%d %d %s %s", s.Kind, s.Index, s.Server, s.Key)
				if s.Dialled {
					got += " dialled"
				}
				for _, l := range s.Labels {
					got += fmt.Sprintf(" %s=%s", l.Name, l.Value)
				}
				if len(s.Samples) != 1 {
					t.Errorf("%d samples", len(s.Samples))
				}
			})
		}
		if got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}

// TestOrigin: labels that a sender adds distinguish senders; labels that
// describe a disk, an interface or a server do not.
func TestOrigin(t *testing.T) {
	origin := func(text string) (hash uint64) {
		var b Batch
		b.Reset("instance")
		b.Begin(splitSeries(text))
		b.Each(func(s *Series) { hash = s.Origin })
		return hash
	}
	one := origin("node_boot_time_seconds{instance=fs1,job=node,prometheus=a}")
	for text, same := range map[string]bool{
		"node_disk_reads_completed_total{instance=fs1,job=node,prometheus=a,device=sdb}":         true,
		"node_disk_info{instance=fs1,job=node,prometheus=a,device=sdb,major=8,minor=0,wwn=1}":    true,
		"node_uname_info{instance=fs1,job=node,prometheus=a,nodename=fs1,release=6.1,machine=x}": true,
		"node_boot_time_seconds{instance=fs1,job=node,prometheus=b}":                             false,
		"node_boot_time_seconds{instance=fs1:9101,job=node,prometheus=a}":                        false,
		"node_boot_time_seconds{instance=fs1,job=limpet,prometheus=a}":                           false,
	} {
		if (origin(text) == one) != same {
			t.Errorf("%s: the same %t", text, !same)
		}
	}
}

func TestHostOf(t *testing.T) {
	for instance, want := range map[string]string{
		"fs1:9100": "fs1", "fs1": "fs1", "[2001:db8::1]:9100": "2001:db8::1", "fs1:name": "fs1:name", "10.0.0.1:9100": "10.0.0.1", "": "",
	} {
		if got := HostOf(instance); got != want {
			t.Errorf("%s: %s", instance, got)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, good := range []string{"fs1", "fs1.example.net", "2001:db8::1", "a_b-c", "größe"} {
		if err := CheckName(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", ".", "..", "../x", "a/b", "-x", "a\x00", "a\x1b[1m", "a b", "\xff", strings.Repeat("a", 65)} {
		if err := CheckName(bad); err == nil || strings.ContainsAny(err.Error(), "\x00\x1b") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
