package site

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCut cuts what people keep into the outputs of single commands.
func TestCut(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "a\nb\n", `"": 1 2`},
		{"prompts", "[root@fs1 ~]# multipath -ll\nx\nroot@fs2:~$ lsblk\ny\nz\n", `fs1 "multipath -ll": 2 | fs2 "lsblk": 4 5`},
		{"bare prompt keeps the server", "==> fs3 <==\nx\n# mmlsnsd -X\ny\n", `fs3 "": 2 | fs3 "mmlsnsd -X": 4`},
		{"ssh in a command", "$ ssh -q fs4 multipath -ll\nx\n", `fs4 "ssh -q fs4 multipath -ll": 2`},
		{"dshbak", "-----\nfs5\n-----\nx\n-----\nfs6\n-----\ny\n", `fs5 "": 4 | fs6 "": 8`},
		{"pdsh", "fs1: a\nfs2: b\nfs1: c\nfs2: d\n", `fs1 "": 1 3 | fs2 "": 2 4`},
		{"a comment is no prompt", "# made by hand\nx\n", `"": 1 2`},
		{"an OSD is no server", "====== osd.3 =======\nx\n", `"": 1 2`},
		{"escapes and returns", "\x1b[1m[root@fs1 ~]# lsblk\x1b[0m\r\nx\r\n", `fs1 "lsblk": 2`},
	} {
		var got []string
		for _, text := range Cut("f", []byte(c.in)) {
			line := strings.TrimSpace(fmt.Sprintf("%s %q:", text.Host, text.Command))
			for i := range text.Len() {
				if text.Line(i) != "" {
					line += fmt.Sprint(" ", text.At(i).Line)
				}
			}
			got = append(got, line)
		}
		if joined := strings.Join(got, " | "); joined != c.want {
			t.Errorf("%s: %s, want %s", c.name, joined, c.want)
		}
	}
}

func TestHostOfFile(t *testing.T) {
	for file, want := range map[string]string{
		"dumps/fs1.multipath.txt":      "fs1",
		"dumps/multipath-fs12.txt":     "fs12",
		"fs1/multipath-ll.txt":         "fs1",
		"oss01/lsblk.json":             "oss01",
		"/tmp/x/io-node-3_lsblk_O.txt": "io-node-3",
		"mmlsnsd.txt":                  "",
	} {
		if got := HostOfFile(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	text := Cut("f", []byte("noise\n{\"a\": 1,\n \"b\": [2]}\n[1:0:0:0] disk\n[{\"c\": null}]\n{\"broken\": \n"))[0]
	documents, broken := text.JSON()
	if len(documents) != 2 || documents[0].First != 1 || documents[0].Last != 2 || documents[1].First != 4 {
		t.Errorf("%+v", documents)
	}
	if len(broken) != 1 || broken[0].Line != 6 {
		t.Errorf("broken: %v", broken)
	}
	var v struct{ A, B, C Value }
	if !documents[0].Into(&v, "a", "b") || v.A != "1" || v.B != "" || documents[0].Into(&v, "x") {
		t.Errorf("%+v", v)
	}
	documents[0].Claim()
	if left := text.Unclaimed(); len(left) != 2 || left[0].Text != "noise" || left[1].Lines != 3 {
		t.Errorf("%+v", left)
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		in   string
		base float64
		want uint64
	}{{"54T", 1024, 54 << 40}, {"960 GB", 1000, 960e9}, {"662.9GiB", 1000, 711783455129}, {"<8.00g", 1024, 8 << 30}, {"12345", 1000, 12345}, {"1,5T", 1000, 15e11}, {"x", 1000, 0}, {"", 1000, 0}} {
		if got := Bytes(c.in, c.base); got != c.want {
			t.Errorf("%q: %d, want %d", c.in, got, c.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add([]byte("fs1: a\nfs2: b\n"))
	f.Add([]byte("[root@fs1 ~]# lsblk\n{\"a\": [1]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var numbers []int
		for _, text := range Cut("f", data) {
			text.JSON()
			for i := range text.Len() {
				numbers = append(numbers, text.At(i).Line)
			}
		}
		slices.Sort(numbers)
		if len(slices.Compact(slices.Clone(numbers))) != len(numbers) {
			t.Error("a line is in two texts")
		}
	})
}

// TestPrompts: a command is told from what it prints, whatever the prompt looks like.
func TestPrompts(t *testing.T) {
	for _, line := range []string{
		"[root@nsd01 ~]# mmlsnsd -X", "nsd01:~ # mmlsnsd -X", "nsd01:/root> mmlsnsd -X", "[nsd01:root] mmlsnsd -X", "nsd01$ sudo mmlsnsd -X",
		"nsd01# /usr/lpp/mmfs/bin/mmlsnsd -X", "root@nsd01:~$ mmlsnsd -X",
	} {
		texts := Cut("f", []byte(line+"\r\nout\r\n"))
		if len(texts) != 1 || texts[0].Host != "nsd01" || texts[0].Line(0) != "out" {
			t.Errorf("%s: %+v", line, texts)
		}
	}
	for _, line := range []string{"sdb: multipath", "total 12 $ 3", "Firmware: 3.1 # cat"} {
		if texts := Cut("f", []byte(line+"\nout\n")); len(texts) != 1 || texts[0].Host != "" {
			t.Errorf("%s is no prompt: %+v", line, texts[0])
		}
	}
}

// TestOneLineEach: servers that differ in their numbers alone are told from keys, and
// what pdsh says of itself is left out.
func TestOneLineEach(t *testing.T) {
	texts := Cut("f", []byte("oss1: a=1\noss2: a=2\noss3: ssh: no route\npdsh@adm: oss3: ssh exited with exit code 255\n"))
	if len(texts) != 3 || texts[1].Host != "oss2" || texts[1].Line(0) != "a=2" {
		t.Errorf("%+v", texts)
	}
	if texts := Cut("f", []byte("Model: X\nSerial: Y\n")); len(texts) != 1 {
		t.Errorf("keys are no servers: %+v", texts)
	}
}

func TestHostOfOneFolder(t *testing.T) {
	for file, want := range map[string]string{
		"out/multipath.txt": "", "work/lsblk.json": "", "fs1/multipath-ll.txt": "fs1", "out/fs2.multipath.txt": "fs2", "lsblk.json": "",
	} {
		if got := HostOfOneFolder(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
