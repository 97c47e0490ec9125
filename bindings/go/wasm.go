//go:build librobots_wasm || !cgo || !(librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The library as a WebAssembly module, run by wazero: without cgo, and where it has no native part.
//
// An instance of the module has a memory of its own and runs one call at a time. There are two kinds of places for instances:
//
//   - Workers, up to one per processor, started when they are needed. Any of them can do a call whose result does not stay in
//     the module: a parse, a check. A goroutine takes one that is free.
//   - The home of caches, outcomes, fetches, tickets, page controls and uses, which refer to each other.
//
// A [Rules] is bytes in Go's memory, so any worker can check with it: the worker copies the image when it first needs it
// (wasm_rules.go). A [Crawler] and a [Cache] are lists of the calls that make them (a recipe): each instance makes its own at
// the first use.
//
// A trap is a defect of the library, or a lack of memory where it is not expected. It ends its instance: that call, and each
// later one about an object in it, returns [ErrPanic]. Crawlers and caches are made again in the next instance; such a cache is
// empty.

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// If this file is missing, run `make go` in librobots.
//
//go:embed built_by_make_go/librobots.wasm
var wasmModule []byte

// A wasmEngine is the compiled module and all its instances.
type wasmEngine struct {
	start   func() (*compiled, error)
	workers []wasmPlace
	home    wasmPlace
	hints   sync.Pool // of *int: the worker that a processor used last
}

type compiled struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

// A wasmPlace holds one instance at a time.
type wasmPlace struct {
	lock     sync.Mutex
	engine   *wasmEngine
	instance *instance // nil: it starts at the next use
	_        [64]byte  // two processors do not share a cache line
}

var theEngine = newEngine(wasmModule)

func newEngine(module []byte) *wasmEngine {
	e := &wasmEngine{
		start:   sync.OnceValues(func() (*compiled, error) { return compile(module) }),
		workers: make([]wasmPlace, runtime.GOMAXPROCS(0)),
		hints:   sync.Pool{New: func() any { return new(int) }},
	}
	e.home.engine = e
	for i := range e.workers {
		e.workers[i].engine = e
	}
	return e
}

// compile uses the interpreter where wazero has no compiler, or the system forbids new machine code.
func compile(module []byte) (*compiled, error) {
	const pages32 = 1 << 14 // 1 GiB: a slice on a system of 32 bits has less than 2
	config := wazero.NewRuntimeConfig()
	interpreter := wazero.NewRuntimeConfigInterpreter()
	if math.MaxInt == math.MaxInt32 {
		config, interpreter = config.WithMemoryLimitPages(pages32), interpreter.WithMemoryLimitPages(pages32)
	}
	made, err := compileWith(config, module)
	if err != nil {
		made, err = compileWith(interpreter, module)
	}
	return made, err
}

func compileWith(config wazero.RuntimeConfig, module []byte) (made *compiled, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			made, err = nil, notStarted{fmt.Errorf("%v", reason)}
		}
	}()
	made = &compiled{runtime: wazero.NewRuntimeWithConfig(background, config)}
	if made.module, err = made.runtime.CompileModule(background, module); err != nil {
		return nil, notStarted{err}
	}
	return made, nil
}

// A notStarted is why there is no engine. It is an [ErrPanic], whose text the engine would have.
type notStarted struct{ reason error }

func (n notStarted) Error() string {
	return "the WebAssembly module of librobots cannot start: " + n.reason.Error()
}

func (notStarted) Unwrap() error { return ErrPanic }

var background = context.Background()

// worker returns a worker that is free, locked. If all are busy, it waits for one.
func (e *wasmEngine) worker() (*instance, error) {
	hint := e.hints.Get().(*int)
	if !e.workers[*hint].lock.TryLock() && !e.lockFree(hint) {
		e.workers[*hint].lock.Lock()
	}
	place := &e.workers[*hint]
	e.hints.Put(hint)
	return place.locked()
}

// lockFree locks the first worker that is free, if any, and sets the hint to it.
func (e *wasmEngine) lockFree(hint *int) bool {
	for i := range e.workers {
		if e.workers[i].lock.TryLock() {
			*hint = i
			return true
		}
	}
	return false
}

// enter returns the instance of the place, locked.
func (p *wasmPlace) enter() (*instance, error) {
	p.lock.Lock()
	return p.locked()
}

func (p *wasmPlace) locked() (*instance, error) {
	if p.instance == nil {
		instance, err := newInstance(p)
		if err != nil {
			p.lock.Unlock()
			return nil, err
		}
		p.instance = instance
	}
	return p.instance, nil
}

// An instance is one instance of the module. Its place is locked while it is used.
type instance struct {
	place     *wasmPlace
	module    api.Module
	memory    api.Memory
	functions map[string]api.Function
	stack     [12]uint64 // arguments and result of a call

	alloc, free, checkImage, checkCache api.Function

	ended  bool  // by a trap
	failed error // why the call that runs has failed; its other steps are left out

	// The arguments of the call that runs: in the scratch space, or in blocks.
	scratch, top uint32
	blocks       []span

	objects   int // how many objects of the API are in it
	made      map[*recipe]*madeObject
	images    images
	heavy     bool   // its memory may have grown
	collected uint32 // the size of the memory at the last collection
	passed    int    // the bytes of arguments since then
}

// A span is a part of the memory.
type span struct{ at, size uint32 }

const (
	scratchSize = 64 << 10
	// The garbage collector does not see how much memory an object has in the module. It is called when the memory has grown
	// after so many bytes of arguments, and a quarter of the memory.
	collectAfter = 4 << 20
	// An instance with a larger memory is replaced when nothing needs it: a memory never shrinks.
	heavyMemory = 16 << 20
)

func newInstance(place *wasmPlace) (*instance, error) {
	code, err := place.engine.start()
	if err != nil {
		return nil, err
	}
	module, err := code.runtime.InstantiateModule(background, code.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, notStarted{err}
	}
	in := &instance{
		place: place, module: module, memory: module.Memory(), functions: map[string]api.Function{}, made: map[*recipe]*madeObject{},
	}
	// A module has no random numbers, and sites must not know the seeds of its hashes.
	in.call(in.function("robots_wasm_seed"), uint64(rand.Uint32()), uint64(rand.Uint32()))
	in.alloc, in.free = in.function("robots_wasm_alloc"), in.function("robots_wasm_free")
	in.checkImage, in.checkCache = in.function("robots_image_check"), in.function("robots_cache_check")
	if in.scratch = uint32(in.call(in.alloc, scratchSize)); in.scratch == 0 {
		_ = module.Close(background)
		return nil, notStarted{ErrMemory}
	}
	in.top = in.scratch
	return in, nil
}

func (in *instance) function(name string) api.Function {
	function := in.functions[name]
	if function == nil {
		function = in.module.ExportedFunction(name)
		in.functions[name] = function
	}
	return function
}

// call runs a function, unless an earlier step of the same call has failed. After a failure it returns 0.
func (in *instance) call(function api.Function, arguments ...uint64) uint64 {
	if in.failed != nil {
		return 0
	}
	copy(in.stack[:], arguments)
	if err := function.CallWithStack(background, in.stack[:]); err != nil {
		in.end()
		return 0
	}
	return in.stack[0]
}

// drop runs a function that frees something, also after a failure.
func (in *instance) drop(function api.Function, arguments ...uint64) {
	if in.ended {
		return
	}
	failed := in.failed
	in.failed = nil
	in.call(function, arguments...)
	in.fail(failed)
}

// end ends the instance after a trap.
func (in *instance) end() {
	in.ended, in.failed = true, ErrPanic
	_ = in.module.Close(background)
	in.place.instance = nil
	in.made, in.blocks = nil, nil
}

// leave frees the arguments of a call and unlocks the instance. It returns why the call has failed.
func (in *instance) leave() error {
	for _, block := range in.blocks {
		in.drop(in.free, uint64(block.at), uint64(block.size))
	}
	err := in.failed
	in.failed, in.blocks, in.top = nil, in.blocks[:0], in.scratch
	collect := in.heavy && !in.ended && in.settle()
	in.heavy = false
	in.place.lock.Unlock()
	if collect {
		runtime.GC()
	}
	return err
}

// settle closes an instance with a large memory that nothing needs. It returns whether the garbage collector is due: the memory
// has grown.
func (in *instance) settle() (collect bool) {
	size := in.memory.Size()
	if !in.keepsState() && int(size) > heavyMemory+4*in.images.size {
		in.ended, in.made = true, nil
		in.place.instance = nil
		_ = in.module.Close(background)
		return false
	}
	if size <= in.collected || in.passed < collectAfter+int(size/4) {
		return false
	}
	in.collected, in.passed = size, 0
	return true
}

// keepsState reports whether the instance has an object that another one cannot make again.
func (in *instance) keepsState() bool {
	for recipe := range in.made {
		if recipe.keepsState {
			return true
		}
	}
	return in.objects > 0
}

// room returns the address of size bytes, aligned to 8, until the end of the call; 0 after a failure.
func (in *instance) room(size int) uint32 {
	at := (in.top + 7) &^ 7
	if size <= int(in.scratch+scratchSize)-int(at) {
		in.top = at + uint32(size)
		return at
	}
	block := in.block(size)
	if block.size > 0 {
		in.blocks = append(in.blocks, block)
	}
	return block.at
}

// block allocates memory; the zero span after a failure.
func (in *instance) block(size int) span {
	in.heavy = true
	if uint64(size) >= math.MaxInt32 {
		in.fail(ErrMemory)
		return span{}
	}
	at := uint32(in.call(in.alloc, uint64(size)))
	if at == 0 {
		in.fail(ErrMemory)
		return span{}
	}
	return span{at, uint32(size)}
}

// fail keeps the first failure of a call.
func (in *instance) fail(err error) {
	if in.failed == nil {
		in.failed = err
	}
}

// text writes an argument and returns its address.
func (in *instance) text(text string) uint64 {
	in.passed += len(text)
	at := in.room(len(text))
	if in.failed == nil {
		place, _ := in.memory.Read(at, uint32(len(text)))
		copy(place, text) // WriteString would move the text of the caller to the heap
	}
	return uint64(at)
}

// bytes writes an argument and returns its address.
func (in *instance) bytes(bytes []byte) uint64 {
	in.passed += len(bytes)
	at := in.room(len(bytes))
	if in.failed == nil {
		in.memory.Write(at, bytes)
	}
	return uint64(at)
}

// copied returns the bytes of a robots_str.
func (in *instance) copied(at uint32) []byte {
	bytes := in.borrowed(at)
	return append(make([]byte, 0, len(bytes)), bytes...)
}

// borrowed returns the bytes of a robots_str, which the next call may change.
func (in *instance) borrowed(at uint32) []byte {
	if in.failed != nil {
		return nil
	}
	start, _ := in.memory.ReadUint32Le(at)
	length, _ := in.memory.ReadUint32Le(at + 4)
	bytes, _ := in.memory.Read(start, length)
	return bytes
}

// run calls a function by its name. An argument is a number, a string or []byte (address and length; nil is NULL), an object, a recipe, or a
// []*recipe (address and length of a list of addresses).
func (in *instance) run(name string, arguments ...any) uint64 {
	in.heavy = true
	var numbers [12]uint64
	list := numbers[:0]
	for _, argument := range arguments {
		switch argument := argument.(type) {
		case uint32:
			list = append(list, uint64(argument))
		case uint64:
			list = append(list, argument)
		case uint: // a size_t
			list = append(list, uint64(min(argument, math.MaxUint32)))
		case string:
			list = append(list, in.text(argument), uint64(len(argument)))
		case []byte:
			at := uint64(0)
			if argument != nil {
				at = in.bytes(argument)
			}
			list = append(list, at, uint64(len(argument)))
		case object:
			if argument.in != nil && argument.in != in { // of an instance that has ended
				in.fail(ErrPanic)
			}
			list = append(list, uint64(argument.at))
		case *recipe:
			list = append(list, uint64(in.make(argument)))
		case []*recipe:
			at := in.room(4 * len(argument))
			for i, recipe := range argument {
				address := in.make(recipe)
				if in.failed == nil {
					in.memory.WriteUint32Le(at+4*uint32(i), address)
				}
			}
			list = append(list, uint64(at), uint64(len(argument)))
		default:
			panic(fmt.Sprintf("robots: %s: argument of type %T", name, argument))
		}
	}
	return in.call(in.function(name), list...)
}

// status runs a function that returns a status. The failure stays for leave.
func (in *instance) status(name string, arguments ...any) bool {
	if status := uint32(in.run(name, arguments...)); status != 0 {
		in.fail(errorFrom(uint64(status)))
	}
	return in.failed == nil
}

// create runs a function that returns a status and writes an address to its last argument.
func (in *instance) create(name string, arguments ...any) uint32 {
	out := in.room(4)
	if !in.status(name, append(arguments, out)...) {
		return 0
	}
	address, _ := in.memory.ReadUint32Le(out)
	return address
}

// returned runs a function that returns a robots_str, which C returns through its first argument.
func (in *instance) returned(name string, arguments ...any) []byte {
	out := in.room(8)
	in.run(name, append([]any{out}, arguments...)...)
	return in.copied(out)
}

// parts runs a function that returns a status and fills a struct of parts.go, its last argument.
func (in *instance) parts(out any, name string, arguments ...any) {
	value := reflect.ValueOf(out).Elem()
	size := eachPart(value, 4, nil)
	at := in.room(int(size))
	if in.failed != nil {
		return
	}
	in.memory.WriteUint32Le(at, size)
	if !in.status(name, append(arguments, at)...) {
		return
	}
	in.fill(value, at, 4)
}

// fill reads a struct of parts.go, whose fields begin at start.
func (in *instance) fill(value reflect.Value, at, start uint32) {
	eachPart(value, start, func(part reflect.Value, offset uint32) {
		switch part.Kind() {
		case reflect.Uint32, reflect.Uintptr:
			number, _ := in.memory.ReadUint32Le(at + offset)
			part.SetUint(uint64(number))
		case reflect.Uint64:
			number, _ := in.memory.ReadUint64Le(at + offset)
			part.SetUint(number)
		case reflect.Int64:
			number, _ := in.memory.ReadUint64Le(at + offset)
			part.SetInt(int64(number))
		default:
			part.SetString(string(in.borrowed(at + offset)))
		}
	})
}

// eachPart visits the fields of a struct with their offsets in the module, and returns the size of the struct there: a number
// of 64 bits is aligned to 8, all else to 4. The fields begin at offset: at 4, after the size, or at 0 in a struct without one.
func eachPart(value reflect.Value, offset uint32, visit func(part reflect.Value, offset uint32)) uint32 {
	widest := uint32(4)
	for i := range value.NumField() {
		size, align := uint32(8), uint32(4)
		switch value.Field(i).Kind() {
		case reflect.Uint32, reflect.Uintptr:
			size = 4
		case reflect.Uint64, reflect.Int64:
			align, widest = 8, 8
		case reflect.String: // a robots_str: address and length
		default:
			panic(fmt.Sprintf("robots: %v has a field of another kind", value.Type()))
		}
		offset = (offset + align - 1) &^ (align - 1)
		if visit != nil {
			visit(value.Field(i), offset)
		}
		offset += size
	}
	return (offset + widest - 1) &^ (widest - 1)
}

// An object is an object of the API in an instance. The zero object is NULL.
type object struct {
	in *instance
	at uint32
}

// object returns the object that create made.
func (in *instance) object(at uint32) object {
	if at == 0 {
		return object{}
	}
	in.objects++
	return object{in, at}
}

// enter locks the instance of an object. The library itself refuses the zero object.
func (o object) enter() (*instance, error) {
	if o.in == nil {
		return theEngine.home.enter()
	}
	o.in.place.lock.Lock()
	if o.in.ended {
		o.in.place.lock.Unlock()
		return nil, ErrPanic
	}
	return o.in, nil
}

// status calls a function about the object that returns a status.
func (o object) status(name string, arguments ...any) error {
	in, err := o.enter()
	if err != nil {
		return err
	}
	in.status(name, append([]any{o}, arguments...)...)
	return in.leave()
}

// create calls a function about the object that makes another in the same instance.
func (o object) create(name string, arguments ...any) (object, error) {
	in, err := o.enter()
	if err != nil {
		return object{}, err
	}
	return in.created(name, append([]any{o}, arguments...)...)
}

// created makes an object and leaves.
func (in *instance) created(name string, arguments ...any) (object, error) {
	made := in.object(in.create(name, arguments...))
	return made, in.leave()
}

// parts calls a function about the object that fills a struct.
func (o object) parts(out any, name string, arguments ...any) error {
	in, err := o.enter()
	if err != nil {
		return err
	}
	in.parts(out, name, append([]any{o}, arguments...)...)
	return in.leave()
}

// text calls a function about the object that returns a robots_str.
func (o object) text(name string) (string, error) {
	in, err := o.enter()
	if err != nil {
		return "", err
	}
	text := string(in.returned(name, o))
	return text, in.leave()
}

// number calls a function about the object that returns a number. After a failure the number is failed.
func (o object) number(failed uint64, name string, arguments ...any) uint64 {
	in, err := o.enter()
	if err != nil {
		return failed
	}
	number := in.run(name, append([]any{o}, arguments...)...)
	if in.leave() != nil {
		return failed
	}
	return number
}

// release frees the object. An instance that has ended has freed it already.
func (o object) release(name string) {
	if o.in == nil {
		return
	}
	if in, err := o.enter(); err == nil {
		in.run(name, o)
		in.objects--
		_ = in.leave()
	}
}

// A recipe is how to make an object that every instance can have: a crawler, or a cache. Calls are only added before it is
// shared between goroutines.
type recipe struct {
	engine     *wasmEngine
	calls      []recipeCall // the first one creates it
	free       string
	keepsState bool
}

type recipeCall struct {
	name      string
	arguments []any
}

type madeObject struct {
	at    uint32
	calls int // how many calls of the recipe it has had
}

// make returns the address of a recipe's object in the instance; 0 after a failure, and for no recipe.
func (in *instance) make(r *recipe) uint32 {
	if r == nil || in.failed != nil {
		return 0
	}
	made := in.made[r]
	if made == nil {
		made = &madeObject{at: in.create(r.calls[0].name, r.calls[0].arguments...), calls: 1}
		if in.failed != nil {
			return 0
		}
		in.made[r] = made
	}
	for ; made.calls < len(r.calls); made.calls++ {
		call := r.calls[made.calls]
		if !in.status(call.name, append([]any{made.at}, call.arguments...)...) {
			return 0
		}
	}
	return made.at
}

// add adds a call to the recipe, if the library accepts it in an instance.
func (r *recipe) add(in *instance, name string, arguments ...any) error {
	r.calls = append(r.calls, recipeCall{name, arguments})
	in.make(r)
	err := in.leave()
	if err != nil {
		r.calls = r.calls[:len(r.calls)-1]
	}
	return err
}

// release frees the objects of the recipe in all instances.
func (r *recipe) release() {
	for i := range r.engine.workers {
		r.engine.workers[i].release(r)
	}
	r.engine.home.release(r)
}

func (p *wasmPlace) release(r *recipe) {
	p.lock.Lock()
	in := p.instance
	if in == nil {
		p.lock.Unlock()
		return
	}
	if made := in.made[r]; made != nil {
		delete(in.made, r)
		in.run(r.free, made.at)
	}
	_ = in.leave()
}

// weightOf returns the Go memory that makes the garbage collector see an object: none, see collectAfter.
func weightOf(int) int { return 0 }

// failedVerdict is the verdict after an error: not allowed, with the error.
func failedVerdict(err error) Verdict {
	status := ErrPanic
	if err == error(ErrMemory) || err == error(ErrArgument) {
		status = err.(Error)
	}
	return Verdict(status) << 16
}
