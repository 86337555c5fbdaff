"""Tense and genre: does a time lie ahead or behind?

One rule. The words beside a time decide first: "by", "until", "due", "EOD" look ahead, "since" and "last" look back. Then the
verb of its own clause: "will", "shall", "plans to" look ahead, a past tense looks back. Where no verb tells, what is asked or
agreed ("see you on", "deadline", "please", "who plays on") looks ahead, and a report looks back.
"""

from __future__ import annotations

from collections.abc import Sequence

from dateline.language.word_lists import word_set

_FUTURE = word_set(
    "will shall would planning planned scheduled expected expects expect until till upcoming tomorrow next soon intends "
    "intend due slated going likely 'll ll deadline eod cob eob gonna wanna forecast forecasts outlook postponed"
)
_PAST = word_set(
    "said told was were had did met went left found began came gave took made saw held won lost sent fell rose shipped"
)
_UP_TO = word_set("by payable record effective eod cob eob before")
"""Directly before a time, these name a day to come: "payable Dec. 1 to holders of record Nov. 15"."""
_INTENDS = word_set("plan plans expect expects intend intends hope hopes")
_ARRANGES = word_set(
    "please pls let's lets see meet submit send book invite invitation invited rsvp reminder remind reschedule rescheduled "
    "deadline appointment agenda todo finish deliver delivery ship join move call deploy release launch apply register arrive "
    "arrives arriving leave leaves leaving fly flying start starts begin begins open opens close closes return come coming "
    "schedule flight lunch dinner breakfast standup party workshop webinar interview exam kickoff demo sync roadmap goal plan "
    "ready eta out instead suits need needs must can could should do done get expires expire ends end free available"
)
"""Words of what is asked or agreed, where no verb is in the past."""
_ARRANGED = _ARRANGES | {f"{word}s" for word in _ARRANGES} | {f"{word}es" for word in ("launch", "finish")}
_MEASURES = word_set("can could takes take took every once twice per has have had first time est only")
"""Words of a sentence that tells how long something takes."""
_MOVED = word_set(
    "slipped slips slip moved move moves postponed postpone pushed push delayed deferred brought bring extended extend "
    "shifted shift rescheduled reschedule adjourned prolonged renewed"
)
_SEEN_BEFORE, _SEEN_AFTER, _SEEN_AHEAD = 12, 5, 24
"""Words of the sentence in which a sign of the future is looked for; after a time that opens it, the verb may be far."""
_LONGEST_PLAN = 14
"""Words of a sentence that is a plan without saying so; chosen by hand."""
_WITHIN = word_set("in on during at")
_PRESENT = word_set("be is are being")
_ENDS = frozenset([".", "!", "?", ";", "\n"])


def is_past(word: str) -> bool:
    """Return whether a lower-case word looks like a verb in the past."""
    return word in _PAST or (len(word) > 4 and word.endswith("ed"))


def looks_back(words: Sequence[str], first: int) -> bool:
    """Return whether a verb in the past stands right before a time.

    Example:
        >>> looks_back("the fee agreed in February".split(), 4), looks_back("it is closed in February".split(), 4)
        (True, False)
    """
    verb = first - 2 if first and words[first - 1].lower() in _WITHIN else first - 1
    if verb < 0 or words[verb].lower() in _FUTURE or not is_past(words[verb].lower()):
        return False
    return verb == 0 or words[verb - 1].lower() not in _PRESENT


def looks_ahead(words: Sequence[str], first: int, last: int) -> bool:
    """Return whether the words around a time look ahead.

    It is tokens `first` to `last`.

    Example:
        >>> looks_ahead("The board will meet on Friday .".split(), 5, 6)
        True
    """
    for index in range(first - 1, max(first - _SEEN_BEFORE, 0) - 1, -1):
        word = words[index].lower()
        if word in ("until", "till") and _reports_end(words, index, last):
            break  # "it was not until Tuesday that", "it was open until May"
        if word in _FUTURE or (word in ("plan", "plans") and words[index + 1] == "to"):
            return True
        behind_be = index > 0 and words[index - 1].lower() == "be"  # "will be held", "is to be opened"
        if word == "." or (not behind_be and (word in _PAST or (is_past(word) and words[index] == word))):
            break
    leading = [word.lower() for word in words[max(first - 3, 0) : first]]
    led = bool(leading) and leading[-1] in _UP_TO and not (leading[-1] == "effective" and _told_as_past(words, last))
    if leading == ["as", "soon", "as"] or led or is_moved_to(words, first):
        return True
    if _clause_looks_back(words, first):
        return words[last : last + 1] in (["will"], ["shall"])
    return _looks_ahead_behind(words, first, last)


def _clause_looks_back(words: Sequence[str], first: int) -> bool:
    """Return whether the clause of a time looks back before it.

    A verb in the past stands there. What follows is another clause then ("was elected on Sunday and will serve"), unless the time itself is its subject's ("said the
    show on Friday will").
    """
    for index in range(first - 1, max(first - _SEEN_BEFORE, 0) - 1, -1):
        word = words[index]
        if word in _ENDS or word in _CLAUSES:
            return False
        adjective = index > 0 and words[index - 1].lower() in _DETERMINERS
        if is_past(word) and not adjective and (index == 0 or words[index - 1] != "be"):
            return True
    return False


_CLAUSES = word_set("that because which who whose whether if although while so")
_DETERMINERS = word_set("a an the this that these those its his her their our my your no any some")


def _looks_ahead_behind(words: Sequence[str], first: int, last: int) -> bool:
    """Return whether the words behind a time look ahead."""
    opening = opens_sentence(words, first)
    for index in range(last, min(last + (_SEEN_AHEAD if opening else _SEEN_AFTER), len(words) - 1)):
        word = words[index]
        if word == "." or word in _PAST or (opening and len(word) > 4 and word.islower() and word.endswith("ed")):
            break
        if word in ("will", "shall") or (opening and word in _INTENDS and words[index + 1] == "to"):
            return True
    return False


def _reports_end(words: Sequence[str], index: int, last: int) -> bool:
    """Return whether what lasted until a time is over."""
    if words[index - 1].lower() == "not" or _told_as_past(words, last):
        return True
    before = [word.lower() for word in words[max(index - _SEEN_AFTER, 0) : index]]
    return not (_LASTED.isdisjoint(before) or "." in before) and _MOVED.isdisjoint(before)


_LASTED = frozenset(["was", "were"])


def _told_as_past(words: Sequence[str], last: int) -> bool:
    """Return whether a verb in the past follows soon."""
    for word in words[last : last + _SEEN_AFTER]:
        if word in _ENDS:
            return False
        if word in _PAST or (is_past(word) and word.islower()):
            return True
    return False


def is_moved_to(words: Sequence[str], first: int) -> bool:
    """Return whether something was moved to a time: "slipped to June".

    Example:
        >>> is_moved_to("The launch slipped to June".split(), 4)
        True
    """
    before = [word.lower() for word in words[max(first - 3, 0) : first]]
    return bool(before) and before[-1] in ("to", "until", "into") and not _MOVED.isdisjoint(before)


def opens_sentence(words: Sequence[str], first: int) -> bool:
    """Return whether a token opens its sentence, a preposition aside."""
    before = words[first - 1] if first else ""
    if before in ("", "."):
        return True
    return before.lower() in _PREPOSITIONS and (first < 2 or words[first - 2] == ".")


_PREPOSITIONS = word_set("in on during by at for before after within throughout over into")


def arranges(words: Sequence[str], first: int, last: int) -> bool:
    """Return whether a time stands in an arrangement.

    That is a short sentence that asks or agrees.

    Example:
        >>> arranges("Please send it on Friday".split(), 4, 5)
        True
    """
    sentence = [word.lower() for word in sentence_of(words, first, last)]
    if len(sentence) > _LONGEST_PLAN or any(is_past(word) for word in sentence):
        return False
    return any(word in _ARRANGED for word in sentence)


_QUESTION_WORDS = word_set("who whom whose what which when where why how")
_OF_PRESENT = word_set("is are am do does can could must shall should will would needs")
WRITTEN = word_set(
    "note notes minutes report reports record records mail mails email emails message messages letter letters memo memos article "
    "articles post posts photo photos picture pictures draft drafts version versions entry entries log logs slides protocol "
    "protocols statement statements invoice invoices figures data number numbers result results news paper papers backup backups "
    "snapshot snapshots recording recordings transcript transcripts screenshot screenshots edition editions issue issues comment "
    "comments quote quotes offer offers update updates file files copy copies"
)
"""What is from a day is over: it was written or made then."""


def in_present(words: Sequence[str]) -> bool:
    """Return whether an English question's verb is in the present.

    It has an auxiliary of the present, or the verb behind its question word ends in s, and no word of it is in the past.

    Example:
        >>> in_present("Who plays first violin".split()), in_present("Who spoke on Friday".split())
        (True, False)
    """
    spoken = [word.lower() for word in words]
    if any(is_past(low) and (place == 0 or words[place] == low) for place, low in enumerate(spoken)):
        return False
    if not _OF_PRESENT.isdisjoint(spoken):
        return True
    asked = next((place for place, word in enumerate(spoken) if word in ("who", "what", "which", "whose")), len(spoken))
    word, behind = [*spoken[asked + 1 : asked + 3], "", ""][:2]
    if word in ("'", "’"):
        return behind == "s"  # "who's"
    if "who" in spoken[asked : asked + 1] or behind == "" or behind in _PREPOSITIONS or behind in _DETERMINERS:
        return word.endswith("s")
    return behind.endswith("s")  # "which team plays"


def asks_ahead(words: Sequence[str], first: int, last: int) -> bool:
    """Return whether a present English question asks what is to come.

    What is written on a day, or true as of it, is over.

    Example:
        >>> asks_ahead("Who is on duty on Friday ?".split(), 5, 6)
        True
    """
    start, end = _sentence(words, first, last)
    whole = (start, end) == (0, len(words)) and words[0].lower() in _QUESTION_WORDS
    if not (whole or words[end : end + 1] == ["?"]) or not in_present(words[start:end]):
        return False
    before = [word.lower() for word in words[max(first - 3, start) : first] if word != "the"]
    behind = words[last : min(last + 4, end)]
    written = before[-1:] in (["from"], ["of"]) and (before[-2:-1] == ["as"] or not WRITTEN.isdisjoint(before))
    return not written and not (behind[:1] in (["'"], ["’"]) and not WRITTEN.isdisjoint(behind))


def tells_how_long(words: Sequence[str], first: int, last: int) -> bool:
    """Return whether an amount rather tells how long something takes."""
    sentence = [word.lower() for word in sentence_of(words, first, last)]
    return len(sentence) > _LONGEST_PLAN or any(word in _MEASURES or is_past(word) for word in sentence)


def sentence_of(words: Sequence[str], first: int, last: int) -> Sequence[str]:
    """Return the tokens of the sentence around a time."""
    start, end = _sentence(words, first, last)
    return words[start:end]


def _sentence(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return where the sentence around a time starts and ends."""
    start, end = first, last
    while start > max(first - _SEEN_AHEAD, 0) and words[start - 1] not in _ENDS:
        start -= 1
    while end < min(last + _SEEN_AHEAD, len(words)) and words[end] not in _ENDS:
        end += 1
    return start, end
