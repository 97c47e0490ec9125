package robots

import "runtime"

// An owned is an object of the library and the function that frees it. A Crawler or an Outcome holds a pointer to an owned,
// as an os.File does to its descriptor. Copies share the object; it is freed when the last copy is unreachable.
type owned[H any] struct {
	handle  H
	free    func(H)
	cleanup runtime.Cleanup
	// Go memory of the same size as the object's native memory: the garbage collector then runs often enough.
	weight []byte
}

// own returns the owner of handle. size is the object's native memory in bytes, or 0 if it is small.
func own[H any](handle H, free func(H), size int) *owned[H] {
	o := &owned[H]{handle: handle, free: free, weight: make([]byte, weightOf(size))}
	o.cleanup = runtime.AddCleanup(o, free, handle)
	return o
}

// get returns the handle, or the zero handle, which the library refuses, if there is no object or it was freed. The caller
// keeps the owner alive while it uses the handle.
func (o *owned[H]) get() (handle H) {
	if o != nil {
		handle = o.handle
	}
	return handle
}

// release frees the object now.
func (o *owned[H]) release() {
	var none H
	o.cleanup.Stop()
	o.free(o.handle)
	o.handle, o.weight = none, nil
}
