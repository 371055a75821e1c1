package finding

// What evidence of a tail measures, which package words says.
const (
	SlowRequests = "slow requests"      // share of them, beyond what nearly all of the peers' take
	SlowTime     = "time of slow ones"  // ms; of the peers what all but a thousandth of theirs take
	MedianTime   = "median in device"   // ms
	Time99       = "99 % in device"     // ms
	Time999      = "99.9 % in device"   // ms
	InDevice     = "part in the device" // share of the time from insertion to completion
	CDFDistance  = "CDF distance"       // octaves that requests would have to be moved to be as the peers'
)
