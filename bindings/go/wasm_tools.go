//go:build librobots_wasm || !cgo || !(librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

import "reflect"

// The calls into the module about explanations, lint reports, differences, extensions, page controls and uses, as
// native_tools.go has them.

type (
	explanationHandle = object
	lintHandle        = object
	differenceHandle  = object
	extensionsHandle  = object
	pageHandle        = object
	usesHandle        = object
)

// createdByWorker makes an object that only its caller uses, for a short time.
func createdByWorker(name string, arguments ...any) (object, error) {
	in, err := theEngine.worker()
	if err != nil {
		return object{}, err
	}
	return in.created(name, arguments...)
}

func explanationNew(crawler crawlerHandle, body []byte, url string) (explanationHandle, error) {
	return createdByWorker("robots_rules_explain", crawler, body, url)
}

func explanationGet(explanation explanationHandle, out *explanationParts) error {
	return explanation.parts(out, "robots_explanation_get")
}

func explanationAgent(explanation explanationHandle, index uint, out *agentParts) error {
	return explanation.parts(out, "robots_explanation_agent", index)
}

func explanationRule(explanation explanationHandle, index uint, out *matchedParts) error {
	return explanation.parts(out, "robots_explanation_rule", index)
}

func explanationFree(explanation explanationHandle) { explanation.release("robots_explanation_free") }

func lintNew(crawler crawlerHandle, body []byte) (lintHandle, error) {
	return createdByWorker("robots_lint", crawler, body)
}

func lintCount(report lintHandle, out *lintCounts) error {
	return report.parts(out, "robots_lint_report_count")
}

func lintText(report lintHandle) (string, error) { return report.text("robots_lint_report_text") }

func lintGet(report lintHandle, index uint, out *diagnosticParts) error {
	return report.parts(out, "robots_lint_report_get", index)
}

// lintLine returns line index + 1.
func lintLine(report lintHandle, index uint, out *lineParts) error {
	return report.parts(out, "robots_lint_report_line", index+1)
}

func lintFree(report lintHandle) { report.release("robots_lint_report_free") }

func lintCode(code Code, out *meaningParts) error {
	in, err := theEngine.worker()
	if err != nil {
		return err
	}
	in.parts(out, "robots_lint_code", uint32(code))
	return in.leave()
}

func differenceNew(r, other *Rules) (difference differenceHandle, err error) {
	err = withRules(r, func(in *instance, rules uint64) {
		borrowed := in.create("robots_rules_borrow_image", other.image)
		difference = in.object(in.create("robots_rules_difference", uint32(rules), borrowed))
		in.drop(in.function("robots_rules_free"), uint64(borrowed))
	})
	return difference, err
}

func differenceResult(difference differenceHandle) DifferenceResult {
	return DifferenceResult(difference.number(uint64(DifferenceNotDecided), "robots_difference_result"))
}

func differencePath(difference differenceHandle, index uint, out *pathParts) error {
	return difference.parts(out, "robots_difference_path", index)
}

func differenceFree(difference differenceHandle) { difference.release("robots_difference_free") }

func extensionsParse(crawler crawlerHandle, body []byte) (extensionsHandle, error) {
	return createdByWorker("robots_extensions_parse", crawler, body)
}

func extensionsLine(extensions extensionsHandle, index uint, out *extensionParts) error {
	return extensions.parts(out, "robots_extensions_line", index)
}

func extensionsFree(extensions extensionsHandle) { extensions.release("robots_extensions_free") }

func pageNew(crawler crawlerHandle) (pageHandle, error) {
	return createdAtHome("robots_page_controls_new", crawler)
}

func pageAddHeader(page pageHandle, name, value string) error {
	return page.status("robots_page_controls_add_header", name, value)
}

func pageAddMeta(page pageHandle, name, content string) error {
	return page.status("robots_page_controls_add_meta", name, content)
}

// pageValue returns 0 after an error.
func pageValue(page pageHandle, control Control) int64 {
	var rule pageParts
	if pageGet(page, control, &rule) != nil {
		return 0
	}
	return rule.Value
}

func pageGet(page pageHandle, control Control, out *pageParts) error {
	return page.parts(out, "robots_page_controls_get", uint32(control))
}

func pageUnknown(page pageHandle, index uint, out *pageParts) error {
	return page.parts(out, "robots_page_controls_unknown", index)
}

func pageFree(page pageHandle) { page.release("robots_page_controls_free") }

// usesNew makes them where page controls are.
func usesNew(crawler crawlerHandle, site string, body, tdmFile []byte) (usesHandle, error) {
	return createdAtHome("robots_uses_new", crawler, site, body, tdmFile)
}

func useFor(uses usesHandle, url string, purpose Purpose, page pageHandle, out *useParts) (signals []signalParts, err error) {
	in, err := uses.enter()
	if err != nil {
		return nil, err
	}
	size := eachPart(reflect.ValueOf(signalParts{}), 0, nil)
	var at uint32
	for capacity := uint32(4); ; capacity = uint32(out.Signals) {
		at = in.room(int(capacity * size))
		in.parts(out, "robots_use_for", uses, url, uint32(purpose), page, at, capacity)
		if in.failed != nil || uint32(out.Signals) <= capacity {
			break
		}
	}
	if in.failed == nil {
		signals = make([]signalParts, out.Signals)
	}
	for i := range signals {
		in.fill(reflect.ValueOf(&signals[i]).Elem(), at+uint32(i)*size, 0)
	}
	return signals, in.leave()
}

func useReceipt(uses usesHandle, url string, purpose Purpose, page pageHandle, fetchedAt uint64) (string, error) {
	in, err := uses.enter()
	if err != nil {
		return "", err
	}
	receipt := in.written("robots_use_receipt", uses, url, uint32(purpose), page, fetchedAt)
	return receipt, in.leave()
}

func usesFree(uses usesHandle) { uses.release("robots_uses_free") }
