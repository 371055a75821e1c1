package advice

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
)

// A controller holds the commands of a controller's tool for one drive.
type controller struct {
	lamp    string // lights the lamp of the slot
	show    string // shows errors and temperature of the drive
	offline string // takes the drive out of its volume; empty: the tool has no such command
}

var (
	megaraid   = lazyregexp.New(`^c(\d+)(?:/e(\d+))?$`)        // enclosure in the form of site/storcli and site/megacli
	smartArray = lazyregexp.New(`^slot (\d+)/(\S+)$`)          // enclosure in the form of site/ssacli
	sasHBA     = lazyregexp.New(`^(sas[23]ircu) (\d+)/(\d+)$`) // enclosure in the form of site/sasircu
)

// controllerOf returns the controller that knows the slot of a drive; nil: none does.
func controllerOf(c *topology.Component) *controller {
	slot := slotOf(c)
	if slot == "" {
		return nil
	}
	if megaraid.MatchString(c.Enclosure) {
		at := "storcli " + quote("/"+c.Enclosure+"/s"+slot)
		return &controller{at + " start locate", at + " show all", at + " set offline"}
	}
	if m := smartArray.FindStringSubmatch(c.Enclosure); m != nil {
		at := fmt.Sprintf("ssacli ctrl slot=%s pd %s", m[1], quote(m[2]+":"+slot))
		return &controller{at + " modify led=on", at + " show detail", at + " modify disablepd"}
	}
	if m := sasHBA.FindStringSubmatch(c.Enclosure); m != nil {
		return &controller{lamp: strings.Join([]string{m[1], m[2], "LOCATE", quote(m[3] + ":" + slot), "ON"}, " "), show: m[1] + " " + m[2] + " DISPLAY"}
	}
	return nil
}
