package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestCommandLine: what is drawn is printed, and what makes no sense is refused
// before anything is built.
func TestCommandLine(t *testing.T) {
	for args, want := range map[string]struct {
		code int
		text string // of either output
	}{
		"draw --seed 1 --runs 2":                         {0, "run r1-002: volume ec, workload ddw with 3 streams, congestion control cubic, disks of 3.4 MB/s, links of 46 Mbit/s, fault disk-busy-w at s3"},
		"draw --seed 1 --runs 2 --faults hang,none":      {0, "f1-002: volume ec, "},
		"draw --system ceph --runs 1 --faults host-slow": {0, "f1-001: volume ec, workload rados-write with 3 streams, congestion control cubic, disks of 2.7 MB/s, links of 48 Mbit/s, fault host-slow at s1, strength 96 ms of additional latency for each request"},
		"draw --system tape":                             {exitUsage, "the storage system \"tape\" is unknown: write gluster or ceph"},
		"get":                                            {exitError, "the command get needs an address"},
		"images here":                                    {exitError, "the command images needs a directory and a mount point"},
		"draw --faults hang,fire":                        {exitUsage, "the fault \"fire\" is unknown"},
		"":                                               {exitUsage, "limpet-testbed record"},
		"fly":                                            {exitUsage, "limpet-testbed record"},
		"draw here":                                      {exitUsage, "limpet-testbed record"},
		"draw --runs 0":                                  {exitUsage, "limpet-testbed record"},
		"record --clusters 5":                            {exitUsage, "limpet-testbed record"},
		"hog sing 127.0.0.1:1":                           {exitError, ""},
		"hog send":                                       {exitError, ""},
		"draw --seed 1 --runs few":                       {exitUsage, "invalid value"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &out, &out); code != want.code || !strings.Contains(out.String(), want.text) {
			t.Errorf("%q: exit %d, want %d with %q:\n%s", args, code, want.code, want.text, out.String())
		}
	}
}
