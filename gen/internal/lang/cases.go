package lang

import (
	"iter"

	"stateoftictactoe/gen/internal/spec"
)

// Case is a case of a unit, with its function and its name.
type Case struct {
	*spec.Case
	Function *spec.Function
	Name     string
}

// Functions yields each function of the unit with the names of its cases.
func (u *Unit) Functions() iter.Seq2[*spec.Function, []string] {
	return func(yield func(*spec.Function, []string) bool) {
		names := u.Names
		for _, f := range u.Suite.Functions {
			if !yield(f, names[:len(f.Cases)]) {
				return
			}
			names = names[len(f.Cases):]
		}
	}
}

// Cases yields all cases with their indexes, in the order of Names.
func (u *Unit) Cases() iter.Seq2[int, Case] {
	return func(yield func(int, Case) bool) {
		index := 0
		for f, names := range u.Functions() {
			for i, c := range f.Cases {
				if !yield(index, Case{c, f, names[i]}) {
					return
				}
				index++
			}
		}
	}
}
