package tcpstat

import (
	"bytes"
	"encoding/hex"
	"math"
	"net/netip"
	"testing"
)

var peers = map[string]struct {
	peer Peer
	item string
}{
	"IPv4, accepted": {
		Peer{Remote: netip.MustParseAddr("10.0.0.3"), Sockets: 2, Cwnd: 10.5, RTT: 0.00025, Retrans: 1, Delivered: 2, Sent: 3, Received: 4, CwndDelivered: 21, Control: ControlOf("cubic")},
		"02000000" + "02000000" + "00000000000000000000ffff0a000003" + "0000000000002540" + "fca9f1d24d62303f" +
			"0100000000000000" + "0200000000000000" + "0300000000000000" + "0400000000000000" +
			"1500000000000000" + "63756269630000000000000000000000",
	},
	"IPv6, dialled": {
		Peer{Remote: netip.MustParseAddr("2001:db8::17"), Dialled: true, Sockets: 1, Cwnd: 100, Sent: math.MaxUint64},
		"02010000" + "01000000" + "20010db8000000000000000000000017" + "0000000000005940" + "0000000000000000" +
			"0000000000000000" + "0000000000000000" + "ffffffffffffffff" + "0000000000000000" +
			"0000000000000000" + "00000000000000000000000000000000",
	},
}

func TestAppend(t *testing.T) {
	for name, tt := range peers {
		t.Run(name, func(t *testing.T) {
			got := Append([]byte("before"), &tt.peer)
			if want := hex.EncodeToString([]byte("before")) + tt.item; hex.EncodeToString(got) != want {
				t.Errorf("got\n%x\nwant\n%s", got, want)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	for name, tt := range peers {
		t.Run(name, func(t *testing.T) {
			item, err := hex.DecodeString(tt.item)
			if err != nil {
				t.Fatal(err)
			}
			for _, more := range []int{0, 8, 100} { // a later version appends
				item[0] = byte(version + more)
				got := Peer{Received: 99}
				if err := Decode(append(item, make([]byte, more)...), &got); err != nil || got != tt.peer {
					t.Errorf("with %d bytes more: %+v, %v; want %+v", more, got, err, tt.peer)
				}
			}
		})
	}
}

// TestDecodeFirst: version 1 knew neither windows by traffic nor congestion
// controls. Its items have 72 bytes, or more in a file that says so.
func TestDecodeFirst(t *testing.T) {
	for name, tt := range peers {
		t.Run(name, func(t *testing.T) {
			item, err := hex.DecodeString(tt.item)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.peer
			want.CwndDelivered, want.Control = 0, Control{}
			item[0] = 1
			for _, size := range []int{sizeOfFirst, Size} {
				got := tt.peer
				if err := Decode(item[:size], &got); err != nil || got != want {
					t.Errorf("%d bytes: %+v, %v; want %+v", size, got, err, want)
				}
			}
		})
	}
}

// TestMapped: a dual-stack socket tells of an IPv4 host in IPv6's words.
func TestMapped(t *testing.T) {
	var got Peer
	item := Append(nil, &Peer{Remote: netip.MustParseAddr("::ffff:10.0.0.3%eth0")})
	if err := Decode(item, &got); err != nil || got.Remote != netip.MustParseAddr("10.0.0.3") {
		t.Errorf("got %v, %v", got.Remote, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := Append(nil, &Peer{Cwnd: 10, RTT: 1})
	tests := map[string]func() []byte{
		"nothing":      func() []byte { return nil },
		"a short item": func() []byte { return good[:Size-1] },
		"a first, short": func() []byte {
			return append([]byte{1}, good[1:sizeOfFirst-1]...)
		},
		"second as first": func() []byte { return good[:sizeOfFirst] },
		"a name with a gap": func() []byte {
			return Append(nil, &Peer{Control: Control{'a', 0, 'b'}})
		},
		"a name not to print": func() []byte { return Append(nil, &Peer{Control: Control{1}}) },
		"a name with a cell's end": func() []byte {
			return Append(nil, &Peer{Control: ControlOf("a;b")})
		},
		"zeros":         func() []byte { return make([]byte, Size) },
		"cwnd NaN":      func() []byte { return Append(nil, &Peer{Cwnd: math.NaN()}) },
		"cwnd negative": func() []byte { return Append(nil, &Peer{Cwnd: -1}) },
		"RTT infinite":  func() []byte { return Append(nil, &Peer{RTT: math.Inf(1)}) },
	}
	for name, item := range tests {
		t.Run(name, func(t *testing.T) {
			if err := Decode(item(), new(Peer)); err == nil {
				t.Error("it was taken")
			}
		})
	}
}

func TestNoAllocations(t *testing.T) {
	p, item := peers["IPv6, dialled"].peer, make([]byte, 0, Size)
	if n := testing.AllocsPerRun(100, func() {
		if err := Decode(Append(item, &p), &p); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations an item", n)
	}
}

// FuzzDecode: what is taken can be written, and is then the same.
func FuzzDecode(f *testing.F) {
	for _, tt := range peers {
		item := Append(nil, &tt.peer)
		f.Add(item)
		f.Add(append(item, "of a later version"...))
		f.Add(append([]byte{1}, item[1:sizeOfFirst]...))
	}
	f.Fuzz(func(t *testing.T, item []byte) {
		var p, back Peer
		if Decode(item, &p) != nil {
			return
		}
		again := Append(nil, &p)
		if err := Decode(again, &back); err != nil || back != p {
			t.Fatalf("%+v became %+v, %v", p, back, err)
		}
		if n := sizeOf(item); !bytes.Equal(again[4:n], item[4:n]) {
			t.Fatalf("%x became %x", item, again)
		}
	})
}
