package testbench

// A Model is what a data sheet and a kernel say of disks.
type Model struct {
	Name           string
	BytesPerSecond float64 // of sequential transfer
	Size           float64 // bytes
	Rotation       float64 // seconds of a turn
	SeekTrack      float64 // seconds, to the next track
	SeekStroke     float64 // and across the whole disk
	RequestBytes   float64 // of a request: max_sectors_kb
	CachedBytes    float64 // writes up to this go to the drive's own cache
	CachedSeconds  float64 // that such a write takes on average
	LeastSeconds   float64 // that a request takes, however small
	LayoutSpread   float64 // of the transfer rate, from stretch to stretch
	HogBytes       float64 // that a process asks for at once which reads for itself
	StrangeBytes   float64 // and one that reads behind the kernel's back
}

// barracudaModel is a Seagate Barracuda 7200.10 (F10 §8). Its mean seek takes 8.5 ms.
func barracudaModel() Model {
	return Model{
		Name: "ST3320620AS", BytesPerSecond: 72e6, Size: 320e9, Rotation: 60. / 7200, SeekTrack: 0.8e-3, SeekStroke: 17e-3,
		RequestBytes: 512e3, CachedBytes: 64e3, CachedSeconds: 1.2e-3,
		LayoutSpread: 0.25, HogBytes: 128 * 512e3, StrangeBytes: 1e6, // nr_requests; sgm_dd (F10 §9)
	}
}
