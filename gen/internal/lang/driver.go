package lang

import "encoding/json"

// A driver is a generated program that calls a solution for the harness, so
// that the answers never enter the solution's process. It is linked with, or
// loads, the solution, and speaks with the harness over two pipes in lines of
// JSON: it reads questions from file descriptor 3 and writes to descriptor 4.
//
// When the solution is loaded it writes {"ready":true}, or says what is missing
// from it, or what is wrong with it, and ends. To each Question it writes one Reply,
// before it reads the next. At the end of its input it exits.
// What the solution prints stays on stdout and stderr.
const (
	QuestionDescriptor = 3
	ReplyDescriptor    = 4
)

// Question asks for one call.
type Question struct {
	// ID is made up for this question and must come back with the reply.
	ID       string `json:"id"`
	Property string `json:"property"`
	// Input is the case's input as the canonical data have it: an object with a
	// key for each argument. An absent key is an absent argument.
	Input RawJSON `json:"input"`
	// Most is how many bytes the reply may have. A longer one is never right, so a
	// driver need not write it.
	Most int `json:"most"`
	// Deep asks for a stack as deep as the tests' own process gives. Where a stack
	// that overflows ends the process, a driver may give less without it, so that one
	// that overflows does so soon: the case is then put to it once more.
	Deep bool `json:"deep,omitempty"`
}

// Reply is what came of a call. Of Result, Other, Error and Panic one is given.
type Reply struct {
	Ready bool `json:"ready,omitempty"`
	// Missing tells a student which name the tests use that the solution does not
	// have, and what it has.
	Missing string `json:"missing,omitempty"`
	// Unloaded is what the language says of an error that kept the solution from
	// being loaded.
	Unloaded string `json:"unloaded,omitempty"`
	ID       string `json:"id,omitempty"`
	// Result is the result as data, encoded by what the value is and not by what
	// it says of itself: no method of the solution's is called to encode it.
	Result json.RawMessage `json:"result,omitempty"`
	// Other describes a result that is no data of the kind that JSON can hold, or
	// a thrown value that is no error. It is never right.
	Other string `json:"other,omitempty"`
	// Error is the error that the function returned, raised or threw.
	Error *ReplyError `json:"error,omitempty"`
	// Panic is a failure that is no error of the language, as it is shown.
	Panic string `json:"panic,omitempty"`
	// Trace shows the lines of the solution that led to an error or a panic, a
	// line each, as in "state.go:31", innermost first.
	Trace []string `json:"trace,omitempty"`
	// Note says more of why a call came to this, where its caller knows.
	Note string `json:"note,omitempty"`
}

// ReplyError is an error as the harness compares it.
type ReplyError struct {
	// Type is the name of its type, where the language has types of errors.
	Type string `json:"type,omitempty"`
	// Message is its text; HasMessage tells an empty one from none at all. What has
	// something else in place of a text may show that in Message.
	Message    string `json:"message"`
	HasMessage bool   `json:"has_message"`
}
