//go:build cgo

package robots

// The calls into the library about page controls.

/*
#include "native.h"

#cgo noescape robots_page_controls_new
#cgo nocallback robots_page_controls_new
#cgo noescape robots_page_controls_add_header
#cgo nocallback robots_page_controls_add_header
#cgo noescape robots_page_controls_add_meta
#cgo nocallback robots_page_controls_add_meta
#cgo noescape robots_page_controls_get
#cgo nocallback robots_page_controls_get
#cgo noescape robots_page_controls_unknown
#cgo nocallback robots_page_controls_unknown
#cgo noescape robots_page_controls_usage
#cgo nocallback robots_page_controls_usage
*/
import "C"

type pageHandle = *C.robots_page_controls

func pageNew(crawler handle) (pageHandle, error) {
	var page pageHandle
	status := C.robots_page_controls_new(crawler, &page)
	return page, errorOf(status)
}

func pageFree(page pageHandle) { C.robots_page_controls_free(page) }

func pageAddHeader(page pageHandle, name, value string) error {
	return errorOf(C.robots_page_controls_add_header(page, stringStart(name), C.size_t(len(name)),
		stringStart(value), C.size_t(len(value))))
}

func pageAddMeta(page pageHandle, name, content string) error {
	return errorOf(C.robots_page_controls_add_meta(page, stringStart(name), C.size_t(len(name)),
		stringStart(content), C.size_t(len(content))))
}

func pageGet(page pageHandle, control Control) C.robots_page_rule {
	c := C.robots_page_rule{size: C.sizeof_robots_page_rule}
	C.robots_page_controls_get(page, C.uint32_t(control), &c)
	return c
}

func pageValue(page pageHandle, control Control) int64 { return int64(pageGet(page, control).value) }

func pageDecision(page pageHandle, control Control) PageRule {
	return pageRuleOf(pageGet(page, control))
}

func pageUnknown(page pageHandle) (rules []PageRule) {
	c := C.robots_page_rule{size: C.sizeof_robots_page_rule}
	for i := C.size_t(0); C.robots_page_controls_unknown(page, i, &c) == C.ROBOTS_OK; i++ {
		rules = append(rules, pageRuleOf(c))
	}
	return rules
}

func pageRuleOf(c C.robots_page_rule) PageRule {
	return PageRule{
		Text: textOf(c.text), Agent: textOf(c.agent), Value: int64(c.value),
		Source: PageSource(c.source), Number: int(c.number), Zone: Zone(c.zone),
	}
}

func pageUsage(page pageHandle, label string) Choice {
	return Choice(C.robots_page_controls_usage(page, stringStart(label), C.size_t(len(label))))
}
