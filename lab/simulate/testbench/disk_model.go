package testbench

// A Model has the properties of a model of disks, from its data sheet and from the kernel.
type Model struct {
	Name           string
	BytesPerSecond float64 // of sequential transfer
	Size           float64 // bytes
	Rotation       float64 // seconds of a rotation
	SeekTrack      float64 // seconds of a seek to the next track
	SeekStroke     float64 // seconds of a seek across the whole disk
	RequestBytes   float64 // largest request: max_sectors_kb
	CachedBytes    float64 // size up to which writes go to the drive's own cache
	CachedSeconds  float64 // mean time of such a write
	LeastSeconds   float64 // least time of a request
	LayoutSpread   float64 // spread of the transfer rate between ranges of the disk
	HogBytes       float64 // bytes that a hog requests at once
	StrangeBytes   float64 // bytes that the stranger requests at once
}

// barracudaModel is a Seagate Barracuda 7200.10 (F10 §8). Its mean seek takes 8.5 ms.
func barracudaModel() Model {
	return Model{
		Name: "ST3320620AS", BytesPerSecond: 72e6, Size: 320e9, Rotation: 60. / 7200, SeekTrack: 0.8e-3, SeekStroke: 17e-3,
		RequestBytes: 512e3, CachedBytes: 64e3, CachedSeconds: 1.2e-3,
		LayoutSpread: 0.25, HogBytes: 128 * 512e3, StrangeBytes: 1e6, // nr_requests; sgm_dd (F10 §9)
	}
}
