// Package proof shows that the tests of an exercise mean something: that each
// of them passes for a right answer and fails for a wrong one.
//
// It builds solutions whose answers are known, the stub, the example and an
// oracle that answers from the data, and compares what the tests say of them
// with what they must say. It judges tests, not submissions.
package proof
