package procs

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// List returns the table: who has started whom is all that is known.
func List() (table []Process) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		if entry.ProcessID != 0 {
			table = append(table, Process{PID: int(entry.ProcessID), Parent: int(entry.ParentProcessID)})
		}
	}
	return table
}
