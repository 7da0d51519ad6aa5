package lang

import "encoding/json"

// A driver is a generated program that calls a solution for the harness, so
// that the answers never enter the solution's process. It is linked with, or
// loads, the solution, and speaks with the harness over two pipes in lines of
// JSON: it reads questions from file descriptor 3 and writes to descriptor 4.
//
// Once the solution is loaded, the driver writes {"ready":true}. If the solution lacks a
// name or cannot be loaded, the driver says so and ends. It answers each Question with
// one Reply before it reads the next. At the end of its input it exits. The solution's
// own output stays on stdout and stderr.
const (
	QuestionDescriptor = 3
	ReplyDescriptor    = 4
)

// Question asks for one call.
type Question struct {
	// ID is a random text for this question that the reply must repeat.
	ID       string `json:"id"`
	Property string `json:"property"`
	// Input is the case's input from the canonical data: an object with a key for each
	// argument. A missing key is an absent argument.
	Input RawJSON `json:"input"`
	// Most is how many bytes the reply may have. A longer reply is never right, so a
	// driver need not write it.
	Most int `json:"most"`
	// Deep asks for a stack as deep as in the native tests. If an overflow ends the
	// process, a driver may use a smaller stack without Deep, so that an endless recursion
	// ends soon; a case that overflows it is asked again with Deep.
	Deep bool `json:"deep,omitempty"`
}

// Reply is the result of a call. One of Result, Other, Error and Panic is given.
type Reply struct {
	Ready bool `json:"ready,omitempty"`
	// Missing tells a student which name the tests use but the solution lacks, and which
	// names it has.
	Missing string `json:"missing,omitempty"`
	// Unloaded is the language's report of an error that kept the solution from loading.
	Unloaded string `json:"unloaded,omitempty"`
	ID       string `json:"id,omitempty"`
	// Result is the result as JSON. The driver encodes the value itself and calls no
	// method of the solution to do so.
	Result json.RawMessage `json:"result,omitempty"`
	// Shown is the result as a student would write it, where Result does not tell: a
	// value of another type that tests take for the same.
	Shown string `json:"shown,omitempty"`
	// Other describes a result that JSON cannot hold, or a thrown value that is not an
	// error. It is never right.
	Other string `json:"other,omitempty"`
	// Error is the error that the function returned, raised or threw.
	Error *ReplyError `json:"error,omitempty"`
	// Panic describes a failure that is not an error of the language, for the student.
	Panic string `json:"panic,omitempty"`
	// Trace shows the lines of the solution that led to an error or a panic, a
	// line each, as in "state.go:31", innermost first.
	Trace []string `json:"trace,omitempty"`
	// Note is a further hint at why the call failed, or "".
	Note string `json:"note,omitempty"`
}

// ReplyError is an error as the harness compares it.
type ReplyError struct {
	// Type is the name of its type, if the language has types of errors.
	Type string `json:"type,omitempty"`
	// Message is its text; HasMessage tells an empty text from no text. If the error has
	// another value in place of a text, Message may show it.
	Message    string `json:"message"`
	HasMessage bool   `json:"has_message"`
}
