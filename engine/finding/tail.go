package finding

// Names of the measurements in evidence of class [Tail]. Package report/sentence has their
// sentences.
const (
	SlowRequests = "slow requests"      // share of requests that take longer than nearly all requests of the peers
	SlowTime     = "time of slow ones"  // ms; for the peers it is their 99.9 % quantile
	MedianTime   = "median in device"   // ms
	Time99       = "99 % in device"     // ms
	Time999      = "99.9 % in device"   // ms
	InDevice     = "part in the device" // share of the time from insertion to completion
	CDFDistance  = "CDF distance"       // mean number of octaves by which requests must be moved to have the distribution of the peers
)
