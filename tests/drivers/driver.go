// The driver for Go; README.md documents what it reads and writes.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
)

// A field is a name and its value, any bytes.
type field struct{ name, value string }

// A question is the fields of one line.
type question []field

func read(line string) (q question) {
	for _, part := range strings.Split(line, "\t") {
		name, value, _ := strings.Cut(part, "=")
		q = append(q, field{name, unescaped(value)})
	}
	return q
}

func unescaped(text string) string {
	if strings.IndexByte(text, '%') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if b := text[i]; b != '%' {
			out = append(out, b)
			continue
		}
		value, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
		check(err)
		out = append(out, byte(value))
		i += 2
	}
	return string(out)
}

func escaped(text string) string {
	const digits = "0123456789ABCDEF"
	out := make([]byte, 0, len(text))
	for _, b := range []byte(text) {
		if b > ' ' && b < 0x7F && b != '%' {
			out = append(out, b)
		} else {
			out = append(out, '%', digits[b>>4], digits[b&15])
		}
	}
	return string(out)
}

func (q question) all(name string) (values []string) {
	for _, field := range q {
		if field.name == name {
			values = append(values, field.value)
		}
	}
	return values
}

// text returns the first value of a name, or "".
func (q question) text(name string) string { return append(q.all(name), "")[0] }

// pairs calls use with each value of a name, and with the value of the next field.
func (q question) pairs(name string, use func(name, value string)) {
	for i, field := range q {
		if field.name == name {
			use(field.value, q[i+1].value)
		}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func number(text string) int64 { return must(strconv.ParseInt(text, 10, 64)) }

// wordOf returns the name that tests/data/api.json has for a value.
func wordOf[N ~uint8 | ~uint16 | ~uint32](enum string, value N) string { return words[enum][value] }

func nameOf(err error) string {
	var status robots.Error
	if errors.As(err, &status) || err == nil {
		return wordOf("status_code", status)
	}
	return "error"
}

// --- crawlers -----------------------------------------------------------------------------------------------------------

func on(setter func() robots.Option) func(uint64) robots.Option {
	return func(value uint64) robots.Option {
		if value == 0 {
			return robots.WithFallback()
		}
		return setter()
	}
}

func of[N ~uint32](setter func(N) robots.Option) func(uint64) robots.Option {
	return func(value uint64) robots.Option { return setter(N(value)) }
}

func unit(setter func(time.Duration) robots.Option, unit time.Duration) func(uint64) robots.Option {
	return func(value uint64) robots.Option { return setter(time.Duration(value) * unit) }
}

func seconds(setter func(time.Duration) robots.Option) func(uint64) robots.Option {
	return unit(setter, time.Second)
}

// cacheSetters has the options of the cache.
var cacheSetters = map[string]func(*robots.Cache, time.Duration) error{
	"default_delay_ms": (*robots.Cache).SetDefaultDelay, "max_delay_ms": (*robots.Cache).SetMaxDelay, "horizon_ms": (*robots.Cache).SetHorizon,
}

// each calls set with each name and value of options, such as "max_delay_ms:5".
func each(options []string, set func(name string, value uint64)) {
	for _, one := range options {
		name, value, _ := strings.Cut(one, ":")
		set(name, must(strconv.ParseUint(value, 10, 64)))
	}
}

func newCrawler(q question, caches ...string) (*robots.Crawler, error) {
	dialect := slices.Index([]string{"rfc9309", "google", "koster1996"}, q.text("dialect"))
	options := []robots.Option{robots.WithDialect(robots.Dialect(max(dialect, 0)))}
	each(q.all("option"), func(name string, value uint64) { options = append(options, setters[name](value)) })
	each(caches, func(name string, value uint64) {
		if name == "ticket_ttl_ms" { // it is a minute more than the timeout
			options = append(options, robots.WithTimeout(time.Duration(value)*time.Millisecond-time.Minute))
		}
	})
	tokens := q.all("agent")
	switch {
	case len(tokens) == 0:
		return nil, robots.ErrToken
	case slices.Equal(tokens, []string{"*"}):
		return robots.NewCrawlerWithoutToken(options...)
	}
	return robots.NewCrawler(tokens[0], append(options, robots.WithFallback(tokens[1:]...))...)
}

// --- kind=rules ---------------------------------------------------------------------------------------------------------

func ofRules(q question) string {
	crawler, err := newCrawler(q)
	body, urls := []byte(q.text("robots")), q.all("url")
	var rules *robots.Rules
	if err == nil {
		rules, err = crawler.Parse(body)
	}
	if err != nil {
		var status robots.Error
		if !errors.As(err, &status) {
			panic(err)
		}
		return fmt.Sprint("status=", uint16(status))
	}
	fields := []string{"status=0", "delay=none"}
	if delay, given := rules.CrawlDelay(); given {
		fields[1] = fmt.Sprint("delay=ns:", int64(delay))
	}
	for _, sitemap := range rules.Sitemaps() {
		fields = append(fields, "sitemap="+escaped(sitemap))
	}
	image := must(rules.MarshalBinary())
	fields = append(fields, "image="+escaped(string(image)))
	var again robots.Rules
	check(again.UnmarshalBinary(image))
	batch := rules.CheckBatch(urls, nil)
	way := func(name, kind string, ask func(i int, url string) uint64) {
		numbers := make([]string, len(urls))
		for i, url := range urls {
			numbers[i] = strconv.FormatUint(ask(i, url), 16)
		}
		fields = append(fields, "way="+escaped(escaped(name)+" "+kind+" "+strings.Join(numbers, ",")))
	}
	way("Rules.Check", "word", func(_ int, url string) uint64 { return uint64(rules.Check(url)) })
	way("Rules.Check, from an image", "word", func(_ int, url string) uint64 { return uint64(again.Check(url)) })
	way("Rules.CheckBatch", "word", func(i int, _ string) uint64 { return uint64(batch[i]) })
	way("Crawler.CheckOnce", "word", func(_ int, url string) uint64 { return uint64(crawler.CheckOnce(body, url)) })
	way("Rules.Allowed", "allowed", func(_ int, url string) uint64 { return bit(rules.Allowed(url)) })
	return strings.Join(fields, "\t")
}

// --- the kinds of the conformance suite -----------------------------------------------------------------------------------

func verdictWord(verdict robots.Verdict) string {
	switch {
	case verdict.Err() != nil:
		return "error"
	case verdict.Allowed():
		return "allow"
	case verdict.Reason() == robots.ReasonUnreachable || verdict.Reason() == robots.ReasonDefer:
		return "defer"
	}
	return "deny"
}

func failureOf(name string) robots.Failure {
	if name == "encodedbody" {
		name = "encoded_body"
	}
	return robots.Failure(max(slices.Index(words["failure"], name), 0))
}

// play returns the outcome after the attempts, and the time of the last one.
func play(crawler *robots.Crawler, q question) (last *robots.Outcome, now time.Time) {
	var run *fetchRun
	for i, field := range q {
		switch field.name {
		case "attempt":
			now = time.Unix(number(field.value), 0)
			run = &fetchRun{fetch: must(robots.NewFetch(q.text("site"), now, crawler))}
			if last != nil {
				check(run.fetch.SetPrevious(last))
			}
		case "status":
			check(run.status(int(number(field.value)), now))
		case "header":
			check(run.header(field.value, q[i+1].value))
		case "body":
			check(run.body([]byte(field.value)))
		case "end":
			check(run.end(field.value, now))
			if run.fetch.Step() == robots.StepDone {
				last = must(run.fetch.Outcome())
			}
		}
	}
	return last, now
}

// A fetchRun is a fetch whose headers are collected until they end.
type fetchRun struct {
	fetch   *robots.Fetch
	headers http.Header
}

func (r *fetchRun) status(status int, now time.Time) error {
	err := r.fetch.Status(status, now)
	if err == nil {
		r.headers = http.Header{}
	}
	return err
}

func (r *fetchRun) header(name, value string) error {
	if r.headers == nil {
		return r.fetch.Headers(http.Header{name: {value}})
	}
	r.headers[name] = append(r.headers[name], value)
	return nil
}

func (r *fetchRun) endHeaders() error {
	if r.headers == nil {
		return nil
	}
	headers := r.headers
	r.headers = nil
	return r.fetch.Headers(headers)
}

func (r *fetchRun) body(piece []byte) error {
	if err := r.endHeaders(); err != nil || r.fetch.Step() != robots.StepBody {
		return err
	}
	return r.fetch.Body(piece)
}

func (r *fetchRun) end(failure string, now time.Time) error {
	if failure := failureOf(failure); failure != 0 {
		return r.fetch.Fail(failure, now)
	}
	return errors.Join(r.endHeaders(), r.fetch.End())
}

// bit returns 1 or 0.
func bit(is bool) (number uint64) {
	if is {
		number = 1
	}
	return number
}

// or returns text, or another one in place of an empty one.
func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func secondsOf(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return strconv.FormatInt(at.Unix(), 10)
}

func outcomeWords(o *robots.Outcome) string {
	words := []string{"value", wordOf("outcome_kind", o.Kind), wordOf("cause", o.Cause)}
	for _, number := range []uint64{uint64(o.HTTPStatus), uint64(o.Hops), bit(o.Downgraded), bit(o.Stale)} {
		words = append(words, fmt.Sprint(number))
	}
	for _, at := range []time.Time{o.FetchedAt, o.FreshUntil, o.UsableUntil, o.RetryAt, o.UnreachableSince} {
		words = append(words, secondsOf(at))
	}
	return strings.Join(append(words, word(o.FinalURL)), " ")
}

func pageOf(crawler *robots.Crawler, q question) *robots.PageControls {
	header := http.Header{}
	q.pairs("header", func(name, value string) { header[name] = append(header[name], value) })
	page := must(crawler.PageControls(header))
	q.pairs("meta", func(name, content string) { check(page.AddMeta(name, content)) })
	return page
}

func page(crawler *robots.Crawler, q question) string {
	page := pageOf(crawler, q)
	if q.text("kind") == "page-unknown" {
		out := "value"
		for _, rule := range page.Unknown() {
			out += fmt.Sprint(" ", wordOf("page_source", rule.Source), " ", rule.Number, " ", escaped(rule.Text))
		}
		return out
	}
	control := robots.Control(max(slices.Index(words["control"], q.text("control")), 0))
	rule, value := page.DecidedBy(control), fmt.Sprint("value ", page.Value(control))
	if q.text("kind") == "page" {
		return value
	}
	return fmt.Sprint(value, " ", wordOf("page_source", rule.Source), " ", rule.Number, " ", or(escaped(rule.Text), "-"), " ",
		or(escaped(rule.Agent), "-"), " ", wordOf("zone", rule.Zone))
}

func use(crawler *robots.Crawler, q question) string {
	var body []byte // not known
	for _, text := range q.all("robots") {
		body = []byte(text)
	}
	var options []robots.UsesOption
	for _, json := range q.all("tdm") {
		options = append(options, robots.WithTDMFile([]byte(json)))
	}
	uses := must(crawler.Uses(q.text("site"), body, options...))
	page := pageOf(crawler, q)
	if q.text("page") == "unknown" {
		page = nil
	}
	purpose := robots.PurposeSearch
	for purpose.String() != q.text("purpose") {
		purpose++
	}
	if q.text("kind") == "use-receipt" { // of a page that was fetched at this time
		return "value " + escaped(must(uses.Receipt(q.text("url"), purpose, page, time.Unix(1795000000, 0))))
	}
	answer := must(uses.UseFor(q.text("url"), purpose, page))
	out := "value " + answer.Says.String()
	if q.text("kind") == "use" {
		return out
	}
	out += fmt.Sprint(" ", bit(answer.DecidedBy() != nil))
	for _, s := range answer.Signals {
		out += fmt.Sprint(" ", s.Source, " ", s.Says, " ", s.Line, " ", word(s.Token), " ", word(s.Text))
	}
	return out
}

func ofFile(crawler *robots.Crawler, q question) string {
	rules := must(crawler.Parse([]byte(q.text("robots"))))
	switch q.text("kind") {
	case "crawl-delay":
		delay, given := rules.CrawlDelay()
		if !given {
			return "value none"
		}
		return "value " + strconv.FormatFloat(math.Round(delay.Seconds()*1e6)/1e6, 'f', -1, 64)
	case "sitemaps":
		out := "value"
		for _, sitemap := range rules.Sitemaps() {
			out += " " + escaped(sitemap)
		}
		return out
	}
	verdict := rules.Check(q.text("url"))
	check(verdict.Err())
	return fmt.Sprint(verdictWord(verdict), " ", verdict.Line())
}

func difference(q question) string {
	var rules []*robots.Rules
	for _, side := range q.sides() {
		rules = append(rules, must(must(newCrawler(side)).Parse([]byte(side.text("robots")))))
	}
	found := must(rules[0].Difference(rules[1]))
	out := "value " + wordOf("difference_code", found.Result)
	for _, path := range found.Paths {
		out += fmt.Sprint(" ", escaped(path.Path), " ", verdictWords(path.Verdicts[0]), " ", verdictWords(path.Verdicts[1]))
	}
	return out
}

func answer(q question) string {
	kind := q.text("kind")
	switch kind {
	case "rules":
		return ofRules(q)
	case "origin":
		return "value " + escaped(must(robots.OriginOf(q.text("url"))).RobotsURL)
	case "governs":
		site := must(robots.OriginOf(q.text("robots_url")))
		if other, err := robots.OriginOf(q.text("url")); err == nil && other == site {
			return "value yes"
		}
		return "value no"
	case "script":
		return script(q)
	case "difference":
		return difference(q)
	}
	crawler := must(newCrawler(q))
	switch kind {
	case "use", "use-signals", "use-receipt":
		return use(crawler, q)
	case "page", "page-rule", "page-unknown":
		return page(crawler, q)
	case "fetch", "due", "outcome":
		last, now := play(crawler, q)
		switch kind {
		case "due":
			return fmt.Sprint("value ", last.RetryAt.Unix()-now.Unix())
		case "outcome":
			return outcomeWords(last)
		}
		verdict := last.Check(q.text("url"), time.Unix(number(q.text("at")), 0))
		check(verdict.Err())
		return verdictWord(verdict)
	}
	return ofFile(crawler, q)
}

// --- kind=script --------------------------------------------------------------------------------------------------------

// A site has the cache of a script, its unfinished tickets in order, and the running fetch.
type site struct {
	crawlers []*robots.Crawler
	options  []string // of the cache
	cache    *robots.Cache
	tickets  []*robots.Ticket
	run      *fetchRun
}

// sides returns the fields of each crawler.
func (q question) sides() (sides []question) {
	start := 0
	for i, field := range q {
		if field.name == "next" {
			sides, start = append(sides, q[start:i]), i
		}
	}
	return append(sides, q[start:])
}

func script(q question) string {
	var s site
	var events []string
	for _, one := range q.sides() {
		s.crawlers = append(s.crawlers, must(newCrawler(one, q.all("cache")...)))
	}
	s.options = q.all("cache")
	s.cache = s.newCache(int(number(q.text("bytes"))))
	for _, event := range q.all("do") {
		events = append(events, s.do(strings.Fields(event)))
	}
	return strings.Join(events, "\t")
}

func (s *site) newCache(bytes int) *robots.Cache {
	cache := must(robots.NewCache(bytes, s.crawlers...))
	each(s.options, func(name string, value uint64) {
		if set := cacheSetters[name]; set != nil {
			check(set(cache, time.Duration(value)*time.Millisecond))
		}
	})
	return cache
}

// do answers one event.
func (s *site) do(words []string) (said string) {
	defer func() {
		if err, isError := recover().(error); isError {
			said = "error " + nameOf(err)
		}
	}()
	event := make([]string, len(words))
	for i, word := range words {
		if event[i] = unescaped(word); word == "~" || word == "~~" {
			event[i] = word[1:]
		}
	}
	argument := func(i int) int64 { return number(event[i]) }
	now := func() time.Time { return time.UnixMilli(argument(len(event) - 1)) }
	switch event[0] {
	case "check":
		return s.decided(s.cache.CheckFor(int(argument(1)), event[2], now()))
	case "request":
		decision := s.cache.RequestFor(int(argument(1)), event[2], time.UnixMilli(argument(3)), now())
		return fmt.Sprint(s.decided(decision), " ", milliseconds(decision.RequestAt), " ", decision.CrawlDelay.Milliseconds(), " ",
			bit(decision.CrawlDelayCut))
	case "outcome", "outcome-check", "record-check":
		return s.outcome(event, now)
	case "start":
		s.run = &fetchRun{fetch: must(s.tickets[0].Fetch(now()))}
		return s.step(nil)
	case "status":
		return s.step(s.run.status(int(argument(1)), now()))
	case "ftp":
		return s.step(s.run.fetch.FTPReply(int(argument(1)), now()))
	case "header":
		return s.step(s.run.header(event[1], event[2]))
	case "body":
		return s.step(s.run.body([]byte(event[1])))
	case "end":
		return s.step(s.run.end(event[1], now()))
	case "finish":
		outcome := must(s.run.fetch.Outcome())
		check(s.ticket().Finish(outcome, now()))
	case "answer":
		ticket := s.ticket()
		check(ticket.Finish(must(s.crawlers[0].OutcomeFromStatus(ticket.Origin(), int(argument(1)), []byte(event[2]), now())), now()))
	case "abandon":
		s.ticket().Release()
	case "retry-after":
		check(s.cache.RetryAfter(event[1], int(argument(2)), event[3], now()))
	case "move":
		count, to := 0, s.newCache(int(argument(1)))
		for record := range s.cache.Records() {
			check(to.Import(record))
			count++
		}
		s.cache = to
		return fmt.Sprint("records ", count)
	case "counts":
		n := s.cache.Counts()
		return fmt.Sprint("sites ", n.Sites, " hits ", n.Hits, " stale ", n.StaleHits, " fetches ", n.Fetches, " waits ", n.Waits,
			" deferred ", n.Deferred, " evicted ", n.Evicted)
	case "remove":
		check(s.cache.Remove(event[1]))
	case "clear":
		s.cache.Clear()
	default:
		return "unsupported"
	}
	return "ok"
}

// outcome answers an event about the outcome that the cache holds.
func (s *site) outcome(event []string, now func() time.Time) string {
	url := event[min(len(event)-1, 2)]
	outcome := must(s.cache.Outcome(url))
	switch {
	case outcome == nil:
		return "none"
	case event[0] == "outcome":
		return outcomeWords(outcome)
	case event[0] == "outcome-check":
		return verdictWords(outcome.CheckFor(int(number(event[1])), url, now()))
	}
	return verdictWords(robots.CheckRecord(must(outcome.MarshalBinary()), int(number(event[1])), url, now()))
}

// ticket returns the oldest unfinished ticket, and forgets it.
func (s *site) ticket() *robots.Ticket {
	if len(s.tickets) == 0 {
		panic(robots.ErrState)
	}
	first := s.tickets[0]
	s.tickets = s.tickets[1:]
	return first
}

func (s *site) decided(decision robots.CacheDecision) string {
	action := wordOf("cache_action", decision.Action)
	if decision.Ticket != nil {
		s.tickets = append(s.tickets, decision.Ticket)
		if decision.Action == robots.ActionDecided {
			action = "refresh"
		}
	}
	return action + " " + verdictWords(decision.Verdict) + " " + milliseconds(decision.Until)
}

// step returns the step that follows an event, for a request its URL and its own headers.
func (s *site) step(err error) string {
	check(err)
	step := s.run.fetch.Step()
	words := wordOf("step", step)
	if step != robots.StepGet {
		return words
	}
	words += " " + word(s.run.fetch.URL())
	header := s.run.fetch.Header()
	for _, name := range []string{"If-None-Match", "If-Modified-Since"} {
		for _, value := range header[name] {
			words += " " + name + " " + word(value)
		}
	}
	return words
}

func verdictWords(verdict robots.Verdict) string {
	check(verdict.Err())
	return fmt.Sprint(verdictWord(verdict), " ", wordOf("reason", verdict.Reason()), " ", verdict.Line())
}

func milliseconds(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return strconv.FormatInt(at.UnixMilli(), 10)
}

// word returns text as a word of an event: "~" stands for the empty one, "~~" for "~".
func word(text string) string {
	if text == "" || text == "~" {
		return text + "~"
	}
	return escaped(text)
}

// --- lines --------------------------------------------------------------------------------------------------------------

func answered(line string) (said string) {
	defer func() {
		if failure := recover(); failure != nil {
			err, _ := failure.(error)
			if said = "error " + nameOf(err); said == "error ok" || said == "error error" {
				said = "error " + strings.Join(strings.Fields(fmt.Sprint(failure)), " ")
			}
		}
	}()
	return answer(read(line))
}

func main() {
	fmt.Println("engine librobots-go", os.Getenv("ROBOTS_VERSION"))
	lines, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriterSize(os.Stdout, 1<<16)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		fmt.Fprintln(out, answered(strings.TrimSuffix(line, "\n")))
		if out.Flush() != nil {
			os.Exit(1)
		}
	}
}
