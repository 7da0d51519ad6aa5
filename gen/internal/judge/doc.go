// Package judge decides what a submission is worth, by sealed judging: the
// answers never enter the submission's process. A driver links the solution and
// answers one question at a time; the comparison is made here. So a submission
// can pass only by giving right answers.
//
// It judges exercises whose data it knows. It does not run tests written by
// hand.
package judge
