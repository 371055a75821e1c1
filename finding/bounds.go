package finding

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// CheckBounds reports every number among the settings of a detector that is
// smaller than the least that its field's tag names, or than 0 where there is no
// tag. A struct among the settings checks itself.
func CheckBounds(options any) error {
	var errs []error
	v := reflect.ValueOf(options)
	for i := range v.NumField() {
		field, value := v.Type().Field(i), 0.0
		switch f := v.Field(i); {
		case f.CanInt():
			value = float64(f.Int())
		case f.CanFloat():
			value = f.Float()
		}
		least, _ := strconv.ParseFloat(field.Tag.Get("least"), 64)
		if !(value >= least) {
			errs = append(errs, fmt.Errorf("%s of %g: at least %g is needed", field.Tag.Get("json"), value, least))
		}
	}
	return errors.Join(errs...)
}
