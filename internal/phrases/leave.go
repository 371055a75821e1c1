package phrases

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// notPrinted are functions whose texts nobody reads: patterns, queries, what is looked
// for in the text of others, addresses, seeds, and what only a programmer can reach.
var notPrinted = map[string]string{
	"MustCompile": "regular expression", "Compile": "regular expression",
	"Contains": "text of others", "HasPrefix": "text of others", "HasSuffix": "text of others", "TrimSuffix": "text of others",
	"TrimPrefix": "text of others", "Cut": "text of others", "CutPrefix": "text of others", "CutSuffix": "text of others",
	"EqualFold": "text of others", "Index": "text of others", "LastIndex": "text of others", "Split": "text of others", "Sscanf": "text of others",
	"Count": "text of others", "ContainsAny": "characters", "IndexAny": "characters", "TrimLeft": "characters", "Trim": "characters",
	"HandleFunc": "address", "Handle": "address",
	"panic": "programmer's mistake", "Source": "seed", "source": "seed",
	"Parse": "time", "Format": "time", "AppendFormat": "time", "ParseInLocation": "time",
}

// form finds texts that a program reads: SQL, times, JSON, troff, HTTP, styles, shells.
var form = regexp.MustCompile(`^\s*(SELECT|INSERT|DELETE|UPDATE|CREATE|DROP|ALTER|PRAGMA|VACUUM|BEGIN|WITH|FROM|WHERE|ORDER BY|GROUP BY|LIMIT|HAVING|UNION|AND|OR|VALUES|SETTINGS|PRIMARY KEY|ON CONFLICT|JOIN|LEFT JOIN|ARRAY JOIN|USING)\b` +
	`|\b(SELECT|ORDER BY|IN \(|NOT EXISTS|GROUP BY)|[<>=] \?|\bAS\b|[<>]=? (%|0 OR)|\b[a-z]+[A-Z]\w*\(|^[a-z]+ DESC, [a-z]+ DESC$` +
	`|2006-01-02|15:04|2006 MST|Jan _2` +
	`|^\s*[{\["]+[a-z_]+": |^\{"` +
	`|^\.([A-Z]{1,2}|nh|ad|in|\\")(\s|$)|\\f[BIR]` +
	`|^(text|application|image)/|^(GET|POST|PUT|DELETE|HEAD) ?/|^[A-Z]+, [A-Z]+$|^(public|private), |^Accept-|; filename=|realm=|-src |^(base-uri|form-action) |^[?/][a-z]+[=/]\S*$` +
	`|^rgb\(|^\(prefers-|^func\(|^#!/bin` +
	`|^(dd if=|rm -f |mkdir -p |mount --bind |awk -v |nsenter |fio --name|set -e; |exec >|'set number)|^# (HELP|TYPE) |^\{at: `)

// leftOut reports whether nobody reads a text that stands at the end of a path of nodes.
func leftOut(path []ast.Node, text string) bool {
	if form.MatchString(text) {
		return true
	}
	for i := len(path) - 2; i >= 0; i-- {
		child := path[i+1]
		switch n := path[i].(type) {
		case *ast.Field, *ast.ImportSpec:
			return true // a tag, a path
		case *ast.CaseClause:
			if e, ok := child.(ast.Expr); ok && slices.Contains(n.List, e) {
				return true
			}
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				return true // compared
			}
		case *ast.IndexExpr:
			if n.Index == child {
				return true
			}
		case *ast.KeyValueExpr:
			if n.Key == child || nameOf(n.Key) == "said" { // the words of another program
				return true
			}
		case *ast.CallExpr:
			pkg, name := callee(n)
			if pkg == "lazyregexp" {
				return true
			}
			switch why := notPrinted[name]; {
			case why == "":
			case why == "seed" || name == "Parse" || name == "Trim":
				// Functions of other packages have these names too: only short texts are left out.
				if !strings.Contains(text, " ") || len(strings.Fields(text)) < 4 {
					return true
				}
			case name == "Count" && pkg != "strings" && pkg != "bytes": // english.Count
			default:
				return true
			}
		case *ast.BlockStmt:
			return false
		}
	}
	return false
}

// callee returns the package or variable, and the name, of the function that is called.
func callee(call *ast.CallExpr) (of, name string) {
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name, f.Sel.Name
		}
		return "?", f.Sel.Name
	}
	return "?", ""
}
