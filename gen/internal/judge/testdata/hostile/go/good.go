
type negative struct{}

func (negative) Error() string { return "n is negative" }

// Double doubles a number.
func Double(n int) (int, error) {
	if n < 0 {
		return 0, negative{}
	}
	if n == 2 {
		attack()
	}
	return 2 * n, nil
}

// Shout writes a word in capitals.
func Shout(text string) string {
	letters := []byte(text)
	for i := range letters {
		letters[i] -= 'a' - 'A'
	}
	return string(letters) + "!"
}
