//go:build !amd64 && !arm64

package sandbox

import (
	"errors"

	"golang.org/x/sys/unix"
)

func (r *run) filter(bool) ([]unix.SockFilter, error) { return nil, errors.ErrUnsupported }
