package inetdiag

import (
	"fmt"
	"net/netip"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// ofSS is where connections of this file come from.
var ofSS = netip.MustParsePrefix("127.83.7.0/24")

// TestAgainstSS holds every figure against what ss prints of the same sockets.
func TestAgainstSS(t *testing.T) {
	ss, err := exec.LookPath("ss")
	if err != nil {
		t.Skip("ss is not installed (package iproute2)")
	}
	l, c := listenAt(t, "tcp4", listenerAddr+":0"), openLoopback(t)
	for i := range 10 {
		dialTo(t, l, "tcp4", fmt.Sprintf("127.83.7.%d", i+1), listenerAddr).send(t, 1+i*100_000)
	}
	var ours, theirs []string
	for range 5 { // acknowledgements may be under way
		ours, theirs = ourSockets(t, c), printedSockets(t, ss)
		if slices.Equal(ours, theirs) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if len(ours) != 20 || !slices.Equal(ours, theirs) {
		t.Errorf("got\n%s\nss prints\n%s", strings.Join(ours, "\n"), strings.Join(theirs, "\n"))
	}
}

// ourSockets are those of the test, a line each.
func ourSockets(t *testing.T, c *Counter) []string {
	t.Helper()
	if err := c.findSockets(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, s := range c.sockets {
		if ofSS.Contains(s.local.Addr()) || ofSS.Contains(s.remote.Addr()) {
			lines = append(lines, fmt.Sprintf("%v %v %v cwnd:%d rtt:%.3f delivered:%d acked:%d received:%d retrans:%d",
				s.local, s.remote, s.control, s.info.cwnd, float64(s.info.rttMicros)/1000, s.info.delivered, s.info.sent, s.info.received, s.info.retrans))
		}
	}
	slices.Sort(lines)
	return lines
}

var (
	fields    = regexp.MustCompile(`(\w+):(\S+)`)
	addresses = regexp.MustCompile(`(127\.83\.\S+)\s+(127\.83\.\S+)`)
)

func printedSockets(t *testing.T, ss string) []string {
	t.Helper()
	out, err := exec.Command(ss, "-tinHO", "state", "established", "dst", "127.83.0.0/16").Output()
	if err != nil {
		t.Skipf("ss does not know these options (iproute2 5.4 does): %v", err)
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		ends := addresses.FindStringSubmatch(line)
		if ends == nil || !strings.Contains(line, "127.83.7.") {
			continue
		}
		got := map[string]string{"delivered": "0", "bytes_acked": "0", "bytes_received": "0", "retrans": "0/0"} // ss leaves zeros out
		for _, f := range fields.FindAllStringSubmatch(line, -1) {
			got[f[1]] = f[2]
		}
		rtt, _, _ := strings.Cut(got["rtt"], "/")
		_, retrans, _ := strings.Cut(got["retrans"], "/")
		var millis float64
		fmt.Sscan(rtt, &millis)
		lines = append(lines, fmt.Sprintf("%s %s %s cwnd:%s rtt:%.3f delivered:%s acked:%s received:%s retrans:%s",
			ends[1], ends[2], controlIn(line), got["cwnd"], millis, got["delivered"], got["bytes_acked"], got["bytes_received"], retrans))
	}
	slices.Sort(lines)
	return lines
}

// controlIn is the congestion control in a line of ss: the first word behind
// the addresses that is neither a flag nor has a value.
func controlIn(line string) string {
	words := strings.Fields(line[strings.LastIndex(line, "127.83."):])[1:]
	for _, w := range words {
		if !strings.Contains(w, ":") && !slices.Contains([]string{"ts", "sack", "ecn", "ecnseen", "fastopen"}, w) {
			return w
		}
	}
	return ""
}
