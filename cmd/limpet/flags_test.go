package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/bounded"
)

// unbounded are the types of flags that have no order.
var unbounded = []string{"bool", "string", "stringSlice", "stringArray", "globs"}

// eachFlag visits all flags of all commands.
func eachFlag(cmd *cobra.Command, visit func(path string, f *pflag.Flag)) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { visit(cmd.CommandPath()+" --"+f.Name, f) })
	cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { visit(cmd.CommandPath()+" --"+f.Name, f) })
	for _, c := range cmd.Commands() {
		eachFlag(c, visit)
	}
}

// TestEveryNumberHasBounds walks all commands: a flag that is a number, a time
// or a size has both bounds, says them, and keeps its default within.
func TestEveryNumberHasBounds(t *testing.T) {
	found := 0
	eachFlag(newRoot(), func(path string, f *pflag.Flag) {
		if slices.Contains(unbounded, f.Value.Type()) {
			return
		}
		v, ok := f.Value.(bounded.Value)
		if !ok {
			t.Errorf("%s is a %s without bounds: bind it with package bounded", path, f.Value.Type())
			return
		}
		found++
		low, high := v.Bounds()
		for _, text := range []string{"-99999999999999999999999", "99999999999999999999999", "1e309", "NaN", "Inf", "1e", "", "many", "0x1p-2"} {
			err := v.Set(text)
			if err == nil {
				t.Errorf("%s takes %q", path, text)
				continue
			}
			said := err.Error()
			if !strings.Contains(said, "between "+low+" and "+high) || strings.Contains(said, "strconv") || strings.Contains(said, "pars") {
				t.Errorf("%s %q: %s", path, text, said)
			}
		}
		for _, text := range []string{low, high} {
			if err := v.Set(text); err != nil {
				t.Errorf("%s does not take its own bound: %v", path, err)
			}
		}
	})
	if found < 50 {
		t.Errorf("only %d flags have bounds", found)
	}
}

// TestFlagWords holds what is said of wrong flags.
func TestFlagWords(t *testing.T) {
	for line, want := range map[string]string{
		"diagnose --smooth 2147483648 x":                     "limpet: --smooth must be between 1 and 10000 steps, not 2147483648\n",
		"diagnose --step 2147483648 x":                       "limpet: --step must be between 0 and 86400 seconds, not 2147483648\n",
		"diagnose -k 17 x":                                   "limpet: --k must be between 1 and 16 anomalies, not 17\n",
		"diagnose --top 0 x":                                 "limpet: --top must be between 1 and 1000000 lines, not 0\n",
		"diagnose --smooth many x":                           "limpet: --smooth must be a whole number between 1 and 10000 steps, not \"many\"\n",
		"diagnose --why=maybe x":                             "limpet: --why takes no value: remove \"maybe\"\n",
		"simulate intrepid --interval soon":                  "limpet: --interval must be a time between 1s and 1h (such as 30s or 5m), not \"soon\"\n",
		"raid replay --rate 1e309":                           "limpet: --rate must be between 0.001 and 1000000 requests a second, not 1e309\n",
		"raid create --size 9000T a b c d":                   "limpet: --size must be between 64K and 1024T, not 9000T\n",
		"raid read --offset -1 a b c d":                      "limpet: --offset must be between 0 and 65536T, not -1\n",
		"raid replay --virtual --delay rare:x=1":             "limpet: distribution rare: this distribution has no setting \"x\": leave out this setting\n",
		"raid replay --policy hedge:budget=lots":             "limpet: policy hedge: the setting \"budget\" must be a number, not \"lots\"\n",
		"raid replay --policy hedge:sr=99999999999999999999": "limpet: policy hedge: the setting \"sr\" must be a whole number, not \"99999999999999999999\"\n",
		"raid replay --policy hedge:again=soon":              "limpet: policy hedge: the setting \"again\" must be a time such as 250ms, not \"soon\"\n",
		"raid replay --delay periodic:slow=very":             "limpet: distribution periodic: the setting \"slow\" must be a number, not \"very\"\n",
		"raid replay --delay periodic:seed=-1":               "limpet: distribution periodic: the setting \"seed\" must be a whole number, not \"-1\"\n",
	} {
		var said bytes.Buffer
		code := run(context.Background(), strings.Fields(line), strings.NewReader(""), &said, &said)
		if got, _, _ := strings.Cut(said.String(), "Try "); code != exitUsage || got != want {
			t.Errorf("limpet %s: exit %d\n%swant\n%s", line, code, got, want)
		}
	}
}

// TestPlainNumberIsSeconds: a time without a unit is in seconds.
func TestPlainNumberIsSeconds(t *testing.T) {
	cmd := newSimulateIntrepid()
	if err := cmd.Flags().Parse([]string{"--interval", "30"}); err != nil {
		t.Fatal(err)
	}
	if got := cmd.Flag("interval").Value.String(); got != (30 * time.Second).String() {
		t.Errorf("got %s", got)
	}
}

// TestBoundsAreThoseOfDetect: flags allow what package detect does, and no
// more.
func TestBoundsAreThoseOfDetect(t *testing.T) {
	for name, set := range map[string]func(o *persistence.Options, beyond int){
		"window": func(o *persistence.Options, beyond int) { o.WinSize = longestWindow + beyond },
		"k":      func(o *persistence.Options, beyond int) { o.K = mostK + beyond },
	} {
		for beyond := range 2 {
			o := persistence.DefaultOptions()
			set(&o, beyond)
			if err := o.Validate(); (err == nil) != (beyond == 0) {
				t.Errorf("%s, %d beyond the flag's bound: %v", name, beyond, err)
			}
		}
	}
}

// TestSizesTakeUnits: wherever bytes are asked for, they may be written as 512M.
func TestSizesTakeUnits(t *testing.T) {
	found := 0
	eachFlag(newRoot(), func(path string, f *pflag.Flag) {
		name, usage := pflag.UnquoteUsage(f)
		if name != "bytes" && !strings.HasPrefix(usage, "bytes ") {
			return
		}
		found++
		if f.Value.Type() != "BYTES" {
			t.Errorf("%s is a %s: bind it with bounded.Bytes", path, f.Value.Type())
		}
	})
	if found < 6 {
		t.Errorf("%d flags of bytes", found)
	}
}
