package finding

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// CheckBounds reports every number among the settings of a detector that its field's
// tags do not allow, or that is below 0 or infinite. The tags are least, above and
// below; a struct among the settings checks itself.
//
//	StillShare   float64 `json:"still_share" above:"0" below:"1"`
//	StillMembers int     `json:"still_members" least:"1"`
func CheckBounds(options any) error {
	var errs []error
	v := reflect.ValueOf(options)
	for i := range v.NumField() {
		tag, value := v.Type().Field(i).Tag, 0.0
		switch f := v.Field(i); {
		case f.CanInt():
			value = float64(f.Int())
		case f.CanFloat():
			value = f.Float()
		}
		least, _ := bound(tag, "least")
		above, isAbove := bound(tag, "above")
		below, isBelow := bound(tag, "below")
		switch {
		case !(value >= least) || math.IsInf(value, 0):
			errs = append(errs, fmt.Errorf("%s of %g: at least %g is needed", tag.Get("json"), value, least))
		case isAbove && value <= above:
			errs = append(errs, fmt.Errorf("%s of %g: it has to be above %g", tag.Get("json"), value, above))
		case isBelow && value >= below:
			errs = append(errs, fmt.Errorf("%s of %g: it has to be below %g", tag.Get("json"), value, below))
		}
	}
	return errors.Join(errs...)
}

func bound(tag reflect.StructTag, name string) (float64, bool) {
	text, ok := tag.Lookup(name)
	value, _ := strconv.ParseFloat(text, 64)
	return value, ok
}
