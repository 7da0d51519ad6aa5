// Package judge gives a verdict on a submission by sealed judging: the expected results
// never enter the submission's process. A driver links the solution and answers one
// question at a time, and this package compares the answers. So a submission can pass
// only by giving right answers.
//
// It judges exercises whose data it knows. It does not run tests written by
// hand.
package judge
