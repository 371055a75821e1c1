package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// Files that people keep hold more than one output: a session with prompts, the output of pdsh with
// the server before each line, or a loop over servers with a banner for each.
//
//	[root@gpfs1 ~]# mmlsnsd -X            a prompt: server and command
//	fs1: mpatha (3600…) dm-0 DDN,S2A9900  a prefix
//	==> fs1 <==    ---- fs1 ----    fs1:  banners
//	---------------                       the banner of dshbak and clush, three lines
//	fs1
//	---------------

// Cut divides a file into texts. Lines keep their numbers.
func Cut(file string, data []byte) []*Text {
	lines := strings.Split(plain(string(data)), "\n")
	if texts := byPrefix(file, lines); texts != nil {
		return texts
	}
	c := cutter{file: file, lines: lines}
	c.begin("", "", "")
	for i := 0; i < len(lines); i++ {
		i += c.take(i)
	}
	return c.texts
}

var escapes = lazyregexp.New("\x1b\\[[0-9;?]*[A-Za-z]|\r")

// plain removes the control sequences of terminals.
func plain(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.ContainsAny(text, "\x1b\r") {
		text = escapes.ReplaceAllString(text, "")
	}
	return text
}

type cutter struct {
	file  string
	lines []string
	texts []*Text
}

func (c *cutter) last() *Text { return c.texts[len(c.texts)-1] }

func (c *cutter) begin(host, from, command string) {
	if n := len(c.texts); n > 0 && c.last().Len() == 0 {
		c.texts = c.texts[:n-1]
	}
	c.texts = append(c.texts, &Text{File: c.file, Host: host, HostFrom: from, Command: command})
}

// take processes the i-th line, and returns how many further lines it processed.
func (c *cutter) take(i int) int {
	line := strings.TrimSpace(c.lines[i])
	if host, command, ok := prompt(line); ok {
		c.prompted(host, command)
		return 0
	}
	if host, ok := banner(line); ok {
		c.begin(host, "banner", "")
		return 0
	}
	if i+2 < len(c.lines) && isRule(line) && strings.TrimSpace(c.lines[i+2]) == line {
		if host := strings.TrimSpace(c.lines[i+1]); isHostName(host) {
			c.begin(host, "banner", "")
			return 2
		}
	}
	c.last().add(i+1, c.lines[i])
	return 0
}

// prompted begins the output of a command. If a prompt does not name the server, prompted keeps the
// server of the text before.
func (c *cutter) prompted(host, command string) {
	from := "prompt"
	if host == "" {
		host, from = c.last().Host, c.last().HostFrom
	}
	if remote := remoteHost(command); remote != "" {
		host, from = remote, "prompt"
	}
	c.begin(host, from, command)
}

var (
	shellPrompt = lazyregexp.New(`^\[?[\w.-]+@([\w.-]+)[^\]#$%>]*\]?\s*[#$%>]\s*(.*)$`)
	barePrompt  = lazyregexp.New(`^[#$%>]\s+(\S.*)$`)
	hostPrompt  = lazyregexp.New(`^(?:\[(?:[\w.-]+@)?([\w.-]+)[^\]]*\]\s*[#$%>]?|([\w.-]+)(?::\S*)?\s*[#$%>])\s*(\S.*)$`) // [fs1:root] cmd, fs1:~ # cmd, fs1$ cmd
	toolPrompt  = lazyregexp.New(`^(\w+)>\s*(.*)$`)
	sshCommand  = lazyregexp.New(`^(?:sudo\s+)?ssh\s+(?:-\S+\s+)*(?:[\w.-]+@)?([\w.-]+)\s+\S`)
	hostBanner  = lazyregexp.New(`^(?:=+>?|-{3,}|#{2,}|\*{3,})\s*([\w.-]+?):?\s*(?:<?=+|-{3,}|#{2,}|\*{3,})$`)
	hostColon   = lazyregexp.New(`^(?:ssh\s+)?([\w.-]*\d[\w.-]*):$`)
	driveColon  = lazyregexp.New(`^(sd[a-z]+|nvme\d+|dm-\d+|md\d+|sr\d+|loop\d+|c\d+|Brick\d+|raidz\d?|mirror|osd\.\d+)\b`)
)

// prompt recognises a shell's prompt: with a command, or empty after the end of a command.
func prompt(line string) (host, command string, ok bool) {
	if m := shellPrompt.FindStringSubmatch(line); m != nil {
		return m[1], m[2], true
	}
	if m := barePrompt.FindStringSubmatch(line); m != nil && (isTool(m[1]) || remoteHost(m[1]) != "") {
		return "", m[1], true
	}
	if m := toolPrompt.FindStringSubmatch(line); m != nil && isTool(m[1]) {
		return "", m[1] + " " + m[2], true
	}
	if m := hostPrompt.FindStringSubmatch(line); m != nil && isTool(m[3]) && isHostName(m[1]+m[2]) {
		return m[1] + m[2], m[3], true
	}
	return "", "", false
}

func remoteHost(command string) string {
	if m := sshCommand.FindStringSubmatch(command); m != nil {
		return m[1]
	}
	return ""
}

func banner(line string) (host string, ok bool) {
	if m := hostBanner.FindStringSubmatch(line); m != nil && isHostName(m[1]) {
		return m[1], true
	}
	if m := hostColon.FindStringSubmatch(line); m != nil && isHostName(m[1]) {
		return m[1], true
	}
	return "", false
}

// isHostName reports whether a word may be a server and is no tool's name.
func isHostName(word string) bool {
	if word == "" || len(word) > 253 || strings.ContainsAny(word, " \t/:") || driveColon.MatchString(word) {
		return false
	}
	letters := strings.ContainsFunc(word, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' })
	return letters && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") == "" && !isTool(word)
}

func isRule(line string) bool { return len(line) >= 3 && strings.Trim(line, "-=") == "" }
