package docs

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Level says how bad a finding is.
type Level string

// An error is certainly a fault. A warning may be none: look at it.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
)

// Finding is a fault of a text.
type Finding struct {
	File    string `json:"file"`
	Line    int    `json:"line"`   // 1-based
	Column  int    `json:"column"` // 1-based, in characters
	Level   Level  `json:"level"`
	Check   string `json:"check"`
	Message string `json:"message"`
	// Subject is the word or text that the finding is about, or "". A waiver may name
	// it.
	Subject string `json:"subject,omitempty"`
}

// String writes the finding on one line, with its place first.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s [%s]: %s", f.File, f.Line, f.Column, f.Level, f.Check, f.Message)
}

// Check is a kind of fault that is looked for.
type Check struct {
	Name  string
	Level Level
	About string
}

// Names of the checks.
const (
	checkUTF8         = "utf8"
	checkNFC          = "nfc"
	checkEmpty        = "empty"
	checkUntranslated = "untranslated"
	checkMissing      = "missing"
	checkOrphan       = "orphan"
	checkStructure    = "structure"
	checkFence        = "fence"
	checkCode         = "code"
	checkLink         = "link"
	checkReference    = "reference"
	checkAsterisks    = "asterisks"
	checkLiteral      = "literal"
	checkDigits       = "digits"
	checkHidden       = "hidden"
	checkStale        = "stale"
	checkPage         = "page"
	checkWaiver       = "waiver"
	checkCodeAdded    = "code-added"
	checkEmphasis     = "emphasis"
	checkNumbers      = "numbers"
	checkKeyword      = "keyword"
	checkEnglish      = "english"
	checkComma        = "comma"
)

// Checks lists all checks, errors first.
var Checks = []Check{
	{checkUTF8, LevelError, "a text is not UTF-8"},
	{checkNFC, LevelError, "a translation is not in Unicode's form NFC"},
	{checkEmpty, LevelError, "a text is empty"},
	{checkUntranslated, LevelError, "a translation is the English text"},
	{checkMissing, LevelError, "a text has no translation in a locale that others have"},
	{checkOrphan, LevelError, "a translation has no English text"},
	{checkStructure, LevelError, "headings, lists, quotes, admonitions, tables or paragraphs differ"},
	{checkFence, LevelError, "a code block differs by a byte"},
	{checkCode, LevelError, "a code span is lost"},
	{checkLink, LevelError, "a link's destination is lost"},
	{checkReference, LevelError, "a link's label is defined nowhere, so its brackets show"},
	{checkAsterisks, LevelError, "asterisks show instead of making text bold"},
	{checkLiteral, LevelError, "a text that the tests compare is translated"},
	{checkDigits, LevelError, "a digit other than 0 to 9"},
	{checkHidden, LevelError, "an invisible character, such as a direction mark"},
	{checkStale, LevelError, "the English has changed since the translation was made"},
	{checkPage, LevelError, "a rendered page is out of date"},
	{checkWaiver, LevelError, "a waiver is not needed"},
	{checkCodeAdded, LevelWarning, "a code span that the English lacks"},
	{checkEmphasis, LevelWarning, "bold or italic text is lost"},
	{checkNumbers, LevelWarning, "numbers differ"},
	{checkKeyword, LevelWarning, "a keyword of a code block is translated"},
	{checkEnglish, LevelWarning, "English words are left over"},
	{checkComma, LevelWarning, "a Latin comma, semicolon or question mark after Arabic"},
}

func levelOf(check string) Level {
	for _, c := range Checks {
		if c.Name == check {
			return c.Level
		}
	}
	return ""
}

// HasErrors reports whether any of the findings is an error.
func HasErrors(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Level == LevelError })
}

// report collects the findings in one file.
type report struct {
	file     string
	text     []byte
	findings []Finding
}

// add notes a finding at a byte offset.
func (r *report) add(check string, offset int, subject, format string, args ...any) {
	f := Finding{File: r.file, Level: levelOf(check), Check: check, Subject: subject, Message: fmt.Sprintf(format, args...)}
	f.Line, f.Column = place(r.text, offset)
	if !slices.Contains(r.findings, f) {
		r.findings = append(r.findings, f)
	}
}

// place turns a byte offset into a line and a column.
func place(text []byte, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(before[start:]) + 1
}

// sorted puts findings in the order of files and places.
func sorted(findings []Finding) []Finding {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return findings
}
