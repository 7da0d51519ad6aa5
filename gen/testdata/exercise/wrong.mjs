// Tries solutions on the cases of the exercise. The first is the example.
import { readFileSync } from 'node:fs';

const cases = JSON.parse(readFileSync('cases.json', 'utf8'));
const solutions = [];
for (let n = 0; n < Number(process.argv[2]); n++) {
  solutions.push((await import(`./example${n}.mjs`)).gamestate);
}

const answer = (solution, board) => {
  try {
    return JSON.stringify([solution(board), '']);
  } catch (error) {
    return JSON.stringify(['', error.message]);
  }
};

const boards = Array.from({ length: 3 ** 9 }, (_, n) => {
  const squares = Array.from(
    { length: 9 },
    (_, i) => ' XO'[Math.floor(n / 3 ** i) % 3],
  ).join('');
  return [squares.slice(0, 3), squares.slice(3, 6), squares.slice(6)];
});

const outcomes = solutions.map((solution) => {
  const failed = cases.flatMap(({ board, want, error }, i) =>
    answer(solution, board) === JSON.stringify([want, error]) ? [] : [i],
  );
  const board =
    failed.length === 0 &&
    boards.find(
      (board) => answer(solution, board) !== answer(solutions[0], board),
    );
  return { Failed: failed, Board: board ? board.join('') : '' };
});
console.log(JSON.stringify(outcomes));
