// Package stateoftictactoe is a wrong solution: it says that X went twice
// whenever the counts differ by two or more, even if O is the player ahead.
package stateoftictactoe

import (
	"errors"
	"strings"
)

// State says how a game stands.
type State string

// The states of a game that follows the rules.
const (
	Win     State = "win"
	Draw    State = "draw"
	Ongoing State = "ongoing"
)

// The exercise fixes these texts, capital letters included.
var (
	errOStarted   = errors.New("Wrong turn order: O started")
	errXWentTwice = errors.New("Wrong turn order: X went twice")
	errPlayedOn   = errors.New("Impossible board: game should have ended after the game was won")
)

// lines lists the squares, numbered from the top left, that win together.
var lines = [...][3]int{
	{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, // rows
	{0, 3, 6}, {1, 4, 7}, {2, 5, 8}, // columns
	{0, 4, 8}, {2, 4, 6}, // diagonals
}

// StateOfTicTacToe returns the state of the game on the board, or an error if
// no game can reach it.
func StateOfTicTacToe(board []string) (State, error) {
	squares := strings.Join(board, "")
	x, o := strings.Count(squares, "X"), strings.Count(squares, "O")
	xWon, oWon := hasLine(squares, 'X'), hasLine(squares, 'O')

	switch {
	case x-o >= 2 || o-x >= 2:
		return "", errXWentTwice
	case o > x:
		return "", errOStarted
	case xWon && x == o, oWon && x > o:
		// The winner must have moved last. This also rules out two winners.
		return "", errPlayedOn
	case xWon || oWon:
		return Win, nil
	case x+o == len(squares):
		return Draw, nil
	default:
		return Ongoing, nil
	}
}

// hasLine reports whether the player's marks fill a line.
func hasLine(squares string, player byte) bool {
	for _, line := range lines {
		if squares[line[0]] == player && squares[line[1]] == player && squares[line[2]] == player {
			return true
		}
	}
	return false
}
