package stateoftictactoe

import (
	"runtime/debug"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// grid is a board of nine squares, row by row.
type grid [9]byte

// numbered returns the board that the digits of n, in base three, spell. The
// boards from 0 to 19,682 are all different; 0 is the empty board.
func numbered(n int) grid {
	var g grid
	for i := range g {
		g[i] = " XO"[n%3]
		n /= 3
	}
	return g
}

func (g grid) rows() []string {
	return []string{string(g[0:3]), string(g[3:6]), string(g[6:9])}
}

func (g grid) count(mark byte) int {
	return strings.Count(string(g[:]), string(mark))
}

// play returns the board after the player has moved to a square, and whether
// that wins the game. Nobody may have won before.
func (g grid) play(square int, player byte) (next grid, won bool) {
	g[square] = player
	row, column, falling, rising := true, true, true, true
	for i := range 3 {
		row = row && g[square/3*3+i] == player
		column = column && g[square%3+i*3] == player
		falling = falling && g[i*4] == player
		rising = rising && g[2+i*2] == player
	}
	return g, row || column || falling || rising
}

// explore plays every game that continues from a board on which nobody has
// won, and records the state of each board it meets.
func explore(g grid, player, opponent byte, states map[grid]State) {
	if _, seen := states[g]; seen {
		return
	}
	states[g] = Draw // unless there is a move left
	for square, mark := range g {
		if mark != ' ' {
			continue
		}
		states[g] = Ongoing
		if next, won := g.play(square, player); won {
			states[next] = Win
		} else {
			explore(next, opponent, player, states)
		}
	}
}

// message returns the error text for a board that no game reaches. Turn order
// comes first; where it was kept, a player must have moved after a win.
func message(g grid) string {
	switch x, o := g.count('X'), g.count('O'); {
	case o > x:
		return "Wrong turn order: O started"
	case x >= o+2:
		return "Wrong turn order: X went twice"
	default:
		return "Impossible board: game should have ended after the game was won"
	}
}

// TestAllBoards compares StateOfTicTacToe, on each of the 19,683 boards, with
// a search of all games.
func TestAllBoards(t *testing.T) {
	states := make(map[grid]State)
	explore(numbered(0), 'X', 'O', states)

	// The well-known sizes of the game show that the search is right.
	found := make(map[State]int)
	for _, state := range states {
		found[state]++
	}
	if found[Win] != 942 || found[Draw] != 16 || found[Ongoing] != 4520 {
		t.Fatalf("the search finds %v, want 942 won, 16 drawn and 4520 ongoing boards", found)
	}

	const boards, shown = 19683, 10
	wrong := 0
	for n := range boards {
		g := numbered(n)
		wantState, reachable := states[g]
		wantError := ""
		if !reachable {
			wantError = message(g)
		}

		gotState, err := StateOfTicTacToe(g.rows())
		gotError := ""
		if err != nil {
			gotState, gotError = "", err.Error()
		}
		if gotState == wantState && gotError == wantError {
			continue
		}
		if wrong++; wrong <= shown {
			t.Errorf("%q: got state %q and error %q, want state %q and error %q",
				g.rows(), gotState, gotError, wantState, wantError)
		}
	}
	if wrong > shown {
		t.Errorf("and %d more of the %d boards", wrong-shown, boards)
	}
}

// TestMalformedBoards wants an error, and no panic, on what is no board at all.
// The error must not claim that the game on it breaks a rule.
func TestMalformedBoards(t *testing.T) {
	tests := []struct {
		description string
		board       []string
	}{
		{"nil", nil},
		{"no rows", []string{}},
		{"one row", []string{"XOX"}},
		{"one row of nine", []string{"XOX      "}},
		{"two rows", []string{"XOX", "   "}},
		{"four rows", []string{"XOX", "   ", "   ", "   "}},
		{"fourth row empty", []string{"XOX", "   ", "   ", ""}},
		{"empty row", []string{"XOX", "", "   "}},
		{"empty rows", []string{"", "", ""}},
		{"short first row", []string{"XO", "   ", "   "}},
		{"short last row", []string{"XOX", "   ", "  "}},
		{"long first row", []string{"XO  ", "   ", "   "}},
		{"long last row", []string{"XOX", "   ", "    "}},
		{"nine squares in uneven rows", []string{"XO", "X   ", "   "}},
		{"line break in a row", []string{"XO\n", "   ", "   "}},
		{"line break after a row", []string{"XOX\n", "   ", "   "}},
		{"lower-case x", []string{"xOX", "   ", "   "}},
		{"lower-case o", []string{"XoX", "   ", "   "}},
		{"digit zero", []string{"X0X", "   ", "   "}},
		{"dots for empty squares", []string{"XOX", "...", "..."}},
		{"tab", []string{"XO\t", "   ", "   "}},
		{"zero byte", []string{"XO\x00", "   ", "   "}},
		{"Cyrillic letters that look the same", []string{"\u0425\u041e\u0425", "   ", "   "}},
		{"two characters in three bytes", []string{"X\u00a0", "   ", "   "}},
		{"one character in three bytes", []string{"\u274c", "   ", "   "}},
		{"three characters in nine bytes", []string{"\u274c\u2b55\u274c", "   ", "   "}},
		{"invalid UTF-8", []string{"XO\xff", "   ", "   "}},
		{"bad character in the last square", []string{"XOX", "   ", "  ?"}},
	}
	for _, tc := range tests {
		t.Run(tc.description, func(t *testing.T) {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%q: panic: %v\n%s", tc.board, r, debug.Stack())
				}
			}()
			state, err := StateOfTicTacToe(tc.board)
			if err == nil {
				t.Fatalf("%q: got state %q, want an error", tc.board, state)
			}
			// The messages of the exercise start with a capital, others do not.
			if first, _ := utf8.DecodeRuneInString(err.Error()); !unicode.IsLower(first) {
				t.Errorf("%q: got error %q, want one that starts in lower case", tc.board, err)
			}
		})
	}
}
