// Package stateoftictactoe tells how a game of tic-tac-toe stands.
package stateoftictactoe

import "errors"

// State says how a game stands.
type State string

// The states of a game that follows the rules.
const (
	Win     State = "win"     // a player holds a line
	Draw    State = "draw"    // the board is full and nobody holds a line
	Ongoing State = "ongoing" // nobody holds a line and a square is empty
)

// StateOfTicTacToe returns the state of the game on the board. The board has
// three rows, from top to bottom, and each row has three characters: X, O, or a
// space for an empty square. On a board that no game can reach,
// StateOfTicTacToe returns an error that says why.
func StateOfTicTacToe(board []string) (State, error) {
	return "", errors.New("write StateOfTicTacToe in state.go")
}
