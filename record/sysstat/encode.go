package sysstat

// items writes the count of an activity, where it varies, and its items, in
// the structures of sysstat 12.2.
func (w *Writer) items(activity uint32, s *Sample) {
	switch activity {
	case CPUActivity:
		w.u32(uint32(len(s.CPUs)))
		for i := range s.CPUs {
			w.cpu(&s.CPUs[i])
		}
	case DiskActivity:
		w.u32(uint32(len(s.Disks)))
		for i := range s.Disks {
			w.disk(&s.Disks[i])
		}
	case InterfaceActivity:
		w.u32(uint32(len(s.Interfaces)))
		for i := range s.Interfaces {
			w.iface(&s.Interfaces[i])
		}
	case InterfaceErrorsActivity:
		w.u32(uint32(len(s.InterfaceErrors)))
		for i := range s.InterfaceErrors {
			w.ifaceErrors(&s.InterfaceErrors[i])
		}
	case TCPActivity:
		t := &s.TCP
		w.u64(t.ActiveOpens, t.PassiveOpens, t.InSegs, t.OutSegs)
	case TCPErrorsActivity:
		t := &s.TCPErrors
		w.u64(t.AttemptFails, t.EstabResets, t.RetransSegs, t.InErrs, t.OutRsts)
	}
}

func (w *Writer) cpu(c *CPU) {
	w.u64(c.User, c.Nice, c.System, c.Idle, c.IOWait, c.Steal, c.IRQ, c.SoftIRQ, c.Guest, c.GuestNice)
}

func (w *Writer) disk(d *Disk) {
	w.u64(d.IOs, d.WWN[0], d.WWN[1], d.ReadSectors, d.WriteSectors, d.DiscardSectors)
	w.u32(d.ReadTicks, d.WriteTicks, d.BusyTicks, d.QueueTicks)
	w.u32(d.Major, d.Minor, d.DiscardTicks, d.Partition)
}

func (w *Writer) iface(d *Interface) {
	end := len(w.buf) + writtenSize(InterfaceActivity)
	w.u64(d.RxPackets, d.TxPackets, d.RxBytes, d.TxBytes, d.RxCompressed, d.TxCompressed, d.Multicast)
	w.u32(d.SpeedMbit)
	w.chars(d.Name, nameLen)
	w.buf = append(w.buf, d.Duplex)
	w.pad(end)
}

func (w *Writer) ifaceErrors(d *InterfaceErrors) {
	w.u64(d.Collisions, d.RxErrors, d.TxErrors, d.RxDropped, d.TxDropped)
	w.u64(d.RxFIFO, d.TxFIFO, d.RxFrame, d.TxCarrier)
	w.chars(d.Name, nameLen)
}
