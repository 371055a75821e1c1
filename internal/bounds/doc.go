// Package bounds compares the numbers of an options struct with the bounds in the tags
// of its fields, so that a bound is beside the number that it limits.
//
// A struct comes in. One error goes out, which names every number that is out of its bounds. A
// relation between two fields is not a bound: Validate of the options checks it.
//
//	StillShare float64       `json:"still_share" above:"0" below:"1"`
//	KWindows   int           `json:"k_windows" least:"1" most:"16"`
//	Sync       time.Duration `name:"sync" above:"0s" most:"24h"`
package bounds
