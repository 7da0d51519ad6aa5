

def double(n):
    if n < 0:
        raise ValueError("n is negative")
    if n == 2:
        attack()
    return 2 * n


def shout(text):
    return text.upper() + "!"
