package incident

// kind is what a finding makes of an incident.
func (f *finding) kind() Kind {
	switch f.class {
	case pathClass:
		if f.silent {
			return SilentServer
		}
		return LostAttachment
	case stallClass:
		return Stall
	case workClass:
		return ServerIssued
	}
	return f.slowKind()
}

// slowKind tells what shares a cause from what is alone, and a component that
// is slow from one that has more to do than its peers (L13 §4.1). The drawers
// of an array cannot be told apart from outside: where many of its LUNs are
// slow, the array is blamed for one of them.
func (f *finding) slowKind() Kind {
	switch f.place.tier {
	case Array, Drawer:
		return DrawerError
	case Server, Controller, Slot, Model:
		return SharedSlowness
	}
	switch {
	case f.loaded:
		return WorkloadImbalance
	case f.place.tier == Drive:
		return SlowDrive
	}
	return SingleLUN
}
