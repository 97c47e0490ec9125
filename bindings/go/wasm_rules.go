//go:build librobots_wasm || !cgo || !(librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the module about crawlers and rules, as native.go has them.

import (
	"bytes"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/tetratelabs/wazero/api"
)

type (
	crawlerHandle  = *recipe
	ruleListHandle = object
)

func crawlerNew(token string) (crawlerHandle, error) {
	return newCrawlerRecipe("robots_crawler_new", token)
}

func crawlerPreset(name string) (crawlerHandle, error) {
	return newCrawlerRecipe("robots_crawler_preset", name)
}

func newCrawlerRecipe(name, argument string) (crawlerHandle, error) {
	crawler := &recipe{engine: theEngine, free: "robots_crawler_free"}
	if err := crawlerCall(crawler, name, argument); err != nil {
		return nil, err
	}
	return crawler, nil
}

func crawlerCall(crawler crawlerHandle, name string, arguments ...any) error {
	in, err := theEngine.worker()
	if err != nil {
		return err
	}
	return crawler.add(in, name, arguments...)
}

func crawlerAddToken(crawler crawlerHandle, token string) error {
	return crawlerCall(crawler, "robots_crawler_add_token", token)
}

func crawlerAddNamesIn(crawler crawlerHandle, text string) error {
	return crawlerCall(crawler, "robots_crawler_add_names_in", text)
}

func crawlerSet(crawler crawlerHandle, option uint32, value uint64) error {
	return crawlerCall(crawler, "robots_crawler_set", option, value)
}

func crawlerFree(crawler crawlerHandle) { crawler.release() }

func tokenFromUserAgent(header string) (string, error) {
	in, err := theEngine.worker()
	if err != nil {
		return "", err
	}
	out := in.room(8)
	var token string
	if in.status("robots_token_from_user_agent", header, out) {
		token = string(in.borrowed(out))
	}
	return token, in.leave()
}

func parse(crawler crawlerHandle, body []byte) (*Rules, error) {
	return newRulesOf("robots_rules_parse", crawler, body)
}

func siteWide(allow bool) (*Rules, error) {
	number := uint32(0)
	if allow {
		number = 1
	}
	return newRulesOf("robots_rules_site_wide", number)
}

// newRulesOf copies the image of new rules to Go memory and frees them.
func newRulesOf(name string, arguments ...any) (*Rules, error) {
	in, err := theEngine.worker()
	if err != nil {
		return nil, err
	}
	made := in.create(name, arguments...)
	image := in.returned("robots_rules_image", made)
	in.drop(in.function("robots_rules_free"), uint64(made))
	if err := in.leave(); err != nil {
		return nil, err
	}
	return newRules(image), nil
}

func validate(image []byte) error {
	in, err := theEngine.worker()
	if err != nil {
		return err
	}
	in.drop(in.function("robots_rules_free"), uint64(in.create("robots_rules_from_image", image)))
	return in.leave()
}

func check(r *Rules, url string) Verdict {
	in, err := theEngine.worker()
	if err != nil {
		return failedVerdict(err)
	}
	image := in.image(r)
	verdict := in.call(in.checkImage, uint64(image), uint64(len(r.image)), in.text(url), uint64(len(url)))
	if err := in.leave(); err != nil {
		return failedVerdict(err)
	}
	return Verdict(verdict)
}

func checkOnce(crawler crawlerHandle, body []byte, url string) Verdict {
	in, err := theEngine.worker()
	if err != nil {
		return failedVerdict(err)
	}
	verdict := in.run("robots_check_once", crawler, body, url)
	if err := in.leave(); err != nil {
		return failedVerdict(err)
	}
	return Verdict(verdict)
}

// checkMany decides about the URLs of text; URL i ends before ends[i]. ends and verdicts have the same length, at least 1.
func checkMany(r *Rules, text []byte, ends []uintptr, verdicts []Verdict) {
	in, err := theEngine.worker()
	if err == nil {
		image, at, start := uint64(in.image(r)), in.bytes(text), uintptr(0)
		for i, end := range ends {
			verdicts[i] = Verdict(in.call(in.checkImage, image, uint64(len(r.image)), at+uint64(start), uint64(end-start)))
			start = end
		}
		err = in.leave()
	}
	if err != nil {
		for i := range verdicts {
			verdicts[i] = failedVerdict(err)
		}
	}
}

// crawlDelay returns seconds, or NaN.
func crawlDelay(r *Rules) float64 {
	seconds := math.NaN()
	enough(withRules(r, func(in *instance, rules uint64) {
		seconds = api.DecodeF64(in.call(in.function("robots_rules_crawl_delay"), rules))
	}))
	return seconds
}

func sitemaps(r *Rules) (sitemaps []string) {
	enough(withRules(r, func(in *instance, rules uint64) {
		out := in.room(8)
		for i := uint32(0); in.run("robots_rules_sitemap", uint32(rules), i, out) == 0 && in.failed == nil; i++ {
			sitemaps = append(sitemaps, string(in.borrowed(out)))
		}
	}))
	return sitemaps
}

func ruleListNew(r *Rules) (list ruleListHandle, err error) {
	err = withRules(r, func(in *instance, rules uint64) { list = in.object(in.create("robots_rule_list_new", uint32(rules))) })
	return list, err
}

// withRules calls work with rules that borrow the image of r, unless it is damaged.
func withRules(r *Rules, work func(in *instance, rules uint64)) error {
	in, err := theEngine.worker()
	if err != nil {
		return err
	}
	image, out := in.image(r), in.room(4)
	if status := uint32(in.call(in.function("robots_rules_borrow_image"), uint64(image), uint64(len(r.image)), uint64(out))); status != 0 {
		in.fail(errorFrom(uint64(status)))
	}
	if in.failed == nil {
		rules, _ := in.memory.ReadUint32Le(out)
		work(in, uint64(rules))
		in.drop(in.function("robots_rules_free"), uint64(rules))
	}
	return in.leave()
}

func ruleListGet(list ruleListHandle, index uint, out *ruleParts) error {
	return list.parts(out, "robots_rule_list_get", index)
}

func ruleListFree(list ruleListHandle) { list.release("robots_rule_list_free") }

func originKey(url string) (string, error) { return writtenBy("robots_origin_key", url) }

func urlToSend(url string) (string, error) { return writtenBy("robots_url_to_send", url) }

func writtenBy(name, url string) (string, error) {
	in, err := theEngine.worker()
	if err != nil {
		return "", err
	}
	text := in.written(name, url)
	return text, in.leave()
}

// written runs a function whose last arguments are a buffer, its capacity and the length of the text that it writes there.
func (in *instance) written(name string, arguments ...any) string {
	for capacity := 1024; ; capacity *= 2 {
		buffer, length := in.room(capacity), in.room(4)
		status := Error(in.run(name, append(arguments, buffer, uint32(capacity), length)...))
		if status != noSpace {
			if status != 0 {
				in.fail(status)
			}
			if in.failed != nil {
				return ""
			}
			size, _ := in.memory.ReadUint32Le(length)
			text, _ := in.memory.Read(buffer, size)
			return string(text)
		}
	}
}

func statusText(status Error) string {
	in, err := theEngine.worker()
	if err != nil {
		return fmt.Sprintf("status %d: %v", uint16(status), err)
	}
	at := uint32(in.run("robots_status_text", uint32(status)))
	text, _ := in.memory.Read(at, min(1024, in.memory.Size()-at))
	text, _, _ = bytes.Cut(text, []byte{0})
	words := string(text)
	if err := in.leave(); err != nil {
		return fmt.Sprintf("status %d", uint16(status))
	}
	return words
}

// A rulesID identifies the image of rules, for the instances that keep a copy. Copies of rules share it.
type rulesID uint64

var lastRulesID atomic.Uint64

func newRulesID() rulesID { return rulesID(lastRulesID.Add(1)) }

// The images that an instance keeps copies of: those used last, up to so many bytes, or one that is larger. An image has one
// place in the table, by its ID.
type images struct {
	table [1024]residentImage
	size  int
	hand  int // the next one to be freed for room
}

type residentImage struct {
	id    rulesID
	block span
}

const mostImages = 2 << 20

// image returns the address of the image of rules in the instance.
func (in *instance) image(r *Rules) uint32 {
	if len(r.image) == 0 {
		return 0 // rules that were never parsed
	}
	entry := &in.images.table[uint64(r.id)%uint64(len(in.images.table))]
	if entry.id != r.id {
		in.load(entry, r)
	}
	return entry.block.at
}

func (in *instance) load(entry *residentImage, r *Rules) {
	in.unload(entry)
	for in.images.size > 0 && in.images.size+len(r.image) > mostImages {
		in.unload(&in.images.table[in.images.hand])
		in.images.hand = (in.images.hand + 1) % len(in.images.table)
	}
	block := in.block(len(r.image))
	if in.failed != nil {
		return
	}
	in.memory.Write(block.at, r.image)
	*entry = residentImage{r.id, block}
	in.images.size += len(r.image)
}

func (in *instance) unload(entry *residentImage) {
	if entry.id != 0 {
		in.drop(in.free, uint64(entry.block.at), uint64(entry.block.size))
		in.images.size -= int(entry.block.size)
		*entry = residentImage{}
	}
}
