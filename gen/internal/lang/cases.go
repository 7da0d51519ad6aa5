package lang

import (
	"cmp"
	"iter"
	"slices"

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

// TableName names the table of a function: as the settings do, else only where the
// unit has one table, and other where it has several.
func (u *Unit) TableName(f *spec.Function, only, other string) string {
	own := u.Settings.Properties[f.Property].Table
	if own == "" && len(u.Suite.Functions) == 1 {
		own = cmp.Or(u.Settings.Table, only)
	}
	return cmp.Or(own, other)
}

// SortFields puts the fields of a table's rows in the order of the settings, in front
// of those that the settings do not order. Key is a field's key there.
func SortFields[T any](u *Unit, f *spec.Function, fields []T, key func(T) string) {
	order := u.Settings.Properties[f.Property].Order
	rank := func(field T) int {
		if i := slices.Index(order, key(field)); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(fields, func(a, b T) int { return rank(a) - rank(b) })
}
