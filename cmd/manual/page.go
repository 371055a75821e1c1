package manual

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Edition is of which limpet and of which day pages are.
type Edition struct {
	Version string
	Date    time.Time
}

// Page is a man page.
type Page struct {
	Name    string // limpet-diagnose.1
	Content string
}

// Pages are those of a command, of all commands below it, and of the topics.
func Pages(root *cobra.Command, e Edition) []Page {
	var pages []Page
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !hasPage(cmd) {
			return
		}
		pages = append(pages, e.command(cmd))
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
	for _, t := range Topics() {
		pages = append(pages, e.topic(root.Name(), t))
	}
	return pages
}

// hasPage says whether a command has one: topics have theirs, and help is told by
// all.
func hasPage(cmd *cobra.Command) bool {
	return !cmd.Hidden && cmd.Runnable() && cmd.Name() != "help" && cmd.Name() != "completion"
}

func (e Edition) begin(name string, section int, short string) *roff {
	r := &roff{}
	r.request(`.\" Made of what the command says of itself.`)
	r.request(`.TH "%s" "%d" "%s" "limpet %s"`, escape(strings.ToUpper(name)), section, e.Date.UTC().Format(time.DateOnly), escape(e.Version))
	r.request(".nh\n.ad l")
	r.section("name")
	r.request("%s", escape(name+" - ")+escape(short))
	return r
}

func (e Edition) topic(program string, t Topic) Page {
	name := program + "-" + t.Name
	r := e.begin(name, t.Section, t.Short)
	r.blocks(parsePage(t.Text))
	r.section("see also")
	r.request("%s", bold(program, 1))
	return Page{fmt.Sprintf("%s.%d", name, t.Section), r.String()}
}

// command is the page of one.
func (e Edition) command(cmd *cobra.Command) Page {
	name := pageName(cmd)
	r := e.begin(name, 1, cmd.Short)
	r.section("synopsis")
	r.request(".B %s", escape(cmd.UseLine()))
	r.section("description")
	r.blocks(parse(cmp.Or(cmd.Long, cmd.Short+".")))
	r.commands(cmd)
	r.options("options", cmd.NonInheritedFlags())
	r.options("options of all commands", cmd.InheritedFlags())
	if cmd.Example != "" {
		r.section("examples")
		r.verbatim(strings.Split(strings.TrimRight(cmd.Example, "\n"), "\n"))
	}
	r.section("exit status")
	r.request("%s", escape("0: the command is done. 1: there was an error. 2: the command line has a mistake."))
	if cmd.Flags().Lookup("exit-code") != nil {
		r.request("%s", escape("With --exit-code also: 3: there is an incident. 4: there are only suspects. 5: no component could be compared with its peers."))
	}
	r.section("see also")
	r.request("%s", seeAlso(cmd))
	return Page{name + ".1", r.String()}
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// commands lists those below.
func (r *roff) commands(cmd *cobra.Command) {
	var list []*cobra.Command
	for _, c := range cmd.Commands() {
		if hasPage(c) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return
	}
	r.section("commands")
	for _, c := range list {
		r.request(".TP\n.B %s\n%s", escape(c.UseLine()), escape(c.Short))
	}
}

// options lists flags.
func (r *roff) options(title string, fs *pflag.FlagSet) {
	begun := false
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if !begun {
			r.section(title)
			begun = true
		}
		value, usage := pflag.UnquoteUsage(f)
		r.request(".TP\n%s\n%s", flagName(f, value), escape(usage+defaultOf(f)))
	})
}

// flagName is how a flag is written: -t, --topology FILE.
func flagName(f *pflag.Flag, value string) string {
	text := fmt.Sprintf(`\fB%s\fR`, escape("--"+f.Name))
	if f.Shorthand != "" {
		text = fmt.Sprintf(`\fB%s\fR, %s`, escape("-"+f.Shorthand), text)
	}
	if value != "" {
		text += fmt.Sprintf(` \fI%s\fR`, escape(value))
	}
	return text
}

// defaultOf says what a flag is where it is not given.
func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "0", "[]", "0s":
		return ""
	}
	list := strings.Trim(f.DefValue, "[]")
	if list != f.DefValue {
		list = strings.ReplaceAll(list, ",", ", ")
	}
	return fmt.Sprintf(" (default %s)", list)
}

// seeAlso names the pages around a command.
func seeAlso(cmd *cobra.Command) string {
	var list []string
	if cmd.HasParent() {
		list = append(list, bold(pageName(cmd.Parent()), 1))
	}
	for _, c := range cmd.Commands() {
		if hasPage(c) {
			list = append(list, bold(pageName(c), 1))
		}
	}
	for _, t := range Topics() {
		list = append(list, bold(cmd.Root().Name()+"-"+t.Name, t.Section))
	}
	return strings.Join(list, ", ")
}

func bold(page string, section int) string { return fmt.Sprintf(`\fB%s\fR(%d)`, escape(page), section) }
