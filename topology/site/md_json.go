package site

// jc's JSON of mdadm:
//
//	{"device": "/dev/md126", "raid_level": "raid1", "device_table": [{"state": ["active", "sync"], "device": "/dev/vda1"}]}

func readMdJSON(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var v struct {
			Device Value
			Level  Value `json:"raid_level"`
			Magic  Value
			UUID   Value `json:"array_uuid"`
			Role   Value `json:"device_role"`
			Table  []struct {
				Device Value
				State  []string
			} `json:"device_table"`
		}
		if !d.Into(&v, "device", "raid_level") && !d.Into(&v, "device", "magic") {
			continue
		}
		d.Claim()
		if v.Magic != "" {
			f := map[string]string{"Raid Level": v.Level.String(), "Array UUID": v.UUID.String(), "Device Role": v.Role.String()}
			inv.Devices = append(inv.Devices, examined(t, d.First, v.Device.String(), f)...)
			continue
		}
		var members []Device
		for _, row := range v.Table {
			if row.Device != "" {
				members = append(members, member(t, d.First, row.Device.String(), DeviceName(v.Device.String()), stateRole(row.State)))
			}
		}
		inv.Devices = append(append(inv.Devices, array(t, d.First, v.Device.String(), members)), members...)
	}
}

func stateRole(states []string) string {
	role := ""
	for _, s := range states {
		switch s {
		case "rebuilding":
			return ""
		case "faulty", "spare", "journal":
			role = s
		}
	}
	return role
}
