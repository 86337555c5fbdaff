"""The letters with which the matches of a grammar rule can begin."""

from __future__ import annotations

from collections.abc import Iterator

_OPTIONAL = frozenset(["?", "*"])


def first_letters(pattern: str) -> frozenset[str]:
    """Return the letters with which a match can begin.

    The pattern holds letters, sets without ranges of anything but digits, groups, looks around and the usual repetitions.

    Example:
        >>> "".join(sorted(first_letters("(?:T?[12]|u{1,2})M")))
        '12Tu'
    """
    letters: set[str] = set()
    for branch in _branches(pattern):
        for atom, optional in _atoms(branch):
            if atom.startswith(("(?=", "(?!", "(?<")) or atom == "$":
                continue
            letters |= _letters(atom)
            if not optional:
                break
    return frozenset(letters)


def _letters(atom: str) -> frozenset[str]:
    """Return the first letters of a group, set or letter."""
    if atom.startswith("("):
        return first_letters(atom[1:-1].removeprefix("?:"))
    if not atom.startswith("["):
        return frozenset(atom[-1])
    body, letters = atom[1:-1].replace("\\", ""), set(atom[1:-1].replace("\\", ""))
    for place in range(1, len(body) - 1):
        if body[place] == "-" and body[place - 1].isdigit() and body[place + 1].isdigit():
            letters |= {str(digit) for digit in range(int(body[place - 1]), int(body[place + 1]))}
    return frozenset(letters)


def _branches(pattern: str) -> Iterator[str]:
    """Yield the alternatives of a pattern."""
    start = 0
    for place, mark in _outer(pattern):
        if mark == "|":
            yield pattern[start:place]
            start = place + 1
    yield pattern[start:]


def _outer(pattern: str) -> Iterator[tuple[int, str]]:
    """Yield places and marks, each group or set as one."""
    place = 0
    while place < len(pattern):
        end = _end(pattern, place)
        yield place, pattern[place:end]
        place = end


def _end(pattern: str, place: int) -> int:
    """Return where the atom that begins at a place ends."""
    if pattern[place] == "\\":
        return place + 2
    if pattern[place] == "[":
        return pattern.index("]", place + 2) + 1 if pattern[place + 1] != "\\" else pattern.index("]", place + 3) + 1
    if pattern[place] == "{":
        return pattern.index("}", place) + 1
    if pattern[place] != "(":
        return place + 1
    end = place + 1
    while pattern[end] != ")":
        end = _end(pattern, end)
    return end + 1


def _atoms(branch: str) -> Iterator[tuple[str, bool]]:
    """Yield an alternative's atoms, and whether each is optional."""
    marks = [mark for _, mark in _outer(branch)]
    for place, mark in enumerate(marks):
        if mark not in _OPTIONAL and mark != "+" and not mark.startswith("{"):
            behind = marks[place + 1] if place + 1 < len(marks) else ""
            yield mark, behind in _OPTIONAL or behind.startswith("{0")
