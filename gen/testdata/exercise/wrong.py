"""Tries solutions on the cases of the exercise. The first is the example."""

import importlib
import itertools
import json
import sys

BOARDS = [
    ["".join(marks[:3]), "".join(marks[3:6]), "".join(marks[6:])]
    for marks in itertools.product(" XO", repeat=9)
]


def answer(solution, board):
    try:
        return [solution(board), ""]
    except ValueError as error:
        return ["", str(error)]


def main():
    with open("cases.json", encoding="utf-8") as file:
        cases = json.load(file)
    solutions = [
        importlib.import_module(f"example{n}").gamestate
        for n in range(int(sys.argv[1]))
    ]
    outcomes = []
    for solution in solutions:
        failed = [
            i
            for i, case in enumerate(cases)
            if answer(solution, case["board"]) != [case["want"], case["error"]]
        ]
        board = ""
        if not failed:
            board = next(
                (
                    "".join(board)
                    for board in BOARDS
                    if answer(solution, board) != answer(solutions[0], board)
                ),
                "",
            )
        outcomes.append({"Failed": failed, "Board": board})
    print(json.dumps(outcomes))


main()
