package judge

import (
	"context"
	"errors"
	"fmt"

	"stateoftictactoe/gen/internal/sandbox"
)

// build compiles the driver with the solution. The message is the compiler's, or "".
func (s *session) build(ctx context.Context) (message string, err error) {
	s.workshop.Deadline = s.deadline
	built, err := s.toolchain.Build(ctx, s.workshop)
	s.deadline = s.workshop.Deadline
	switch {
	case errors.Is(err, sandbox.ErrDeadline):
		return fmt.Sprintf("the solution did not compile within %v", s.Time), nil
	case err != nil:
		return "", fmt.Errorf("%s: %w", s.unit.Suite.Slug, err)
	}
	s.checker = built.Check
	return built.Said, nil
}

// check starts the check that the native tests begin with, and returns a function that
// waits for its end. No verdict depends on it, and it runs no code of the solution.
func (s *session) check(ctx context.Context) (wait func()) {
	if s.checker == nil {
		return func() {}
	}
	done := make(chan string, 1)
	go func() { done <- s.checker(ctx) }()
	return func() { s.warning = <-done }
}
