package manual

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Edition is the version of limpet and the date that pages show.
type Edition struct {
	Version string
	Date    time.Time
}

// Page is a man page.
type Page struct {
	Name    string // file name, such as limpet-diagnose.1
	Content string
}

// Pages returns the pages of a command, of all its subcommands, and of the topics.
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

// hasPage reports whether a command has a page. Topics have other pages, and every page describes
// the help.
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

// command returns the page of a command.
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
	r.request("%s", escape("0: the command succeeded. 1: there was an error. 2: the command line has a mistake."))
	if cmd.Flags().Lookup("exit-code") != nil {
		r.request("%s", escape("With --exit-code, the code is also 3 (there is an incident), 4 (there are only suspects) or 5 (no component could be compared with its peers)."))
	}
	r.section("see also")
	r.request("%s", seeAlso(cmd))
	return Page{name + ".1", r.String()}
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// commands writes the list of subcommands.
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

// options writes the list of flags.
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

// flagName returns the forms of a flag: -t, --topology FILE.
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

// defaultOf returns a text with the default value of a flag; empty if the default is a zero value.
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

// seeAlso returns the pages of the parent, the subcommands and the topics.
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
