"""Tense and genre: does a time lie ahead or behind?

One rule. The words beside a time decide first: "until", "due", "EOD" look ahead, as "by" and "before" do without a past tense,
"since" and "last" look back. Then the verb of its own clause: "will", "shall", "plans to" look ahead, a past tense looks back,
which the participle of "is" is not. Where no verb tells, what is asked or agreed ("see you on", "deadline", "please", "who plays
on") looks ahead, and a report looks back.
"""

from __future__ import annotations

from collections.abc import Sequence

from dateline.language.past import PAST, is_past
from dateline.language.word_lists import word_set

_FUTURE = word_set(
    "will shall would planning planned scheduled expected expects expect until till upcoming tomorrow next soon intends "
    "intend due slated going likely 'll ll deadline eod cob eob gonna wanna forecast forecasts outlook postponed"
)
_FORESEEN = word_set("planned scheduled slated expected forecast due")
"""Of these, what may also be compared with, or a reason: "colder than expected", "closed due to snow"."""
_BOUNDS = word_set("by before")
_UP_TO = _BOUNDS | word_set("payable record effective eod cob eob")
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
_ARRANGED = (
    _ARRANGES
    | {f"{word}s" for word in _ARRANGES}
    | {f"{word}es" for word in ("launch", "finish")}
    | {f"{word.removesuffix('e')}ed" for word in _ARRANGES}
)
"""With what "is" arranged: "the pool is closed on Friday"."""
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
_BE = word_set("be is are am being isn aren")
_WAS = word_set("was were been")
_FINITE = word_set("was were did had has have went began came gave took saw fell rose")
"""Verbs, and no participles: what follows them is no longer asked of "is"."""
_SUBJECTS = word_set("i you he she we they")
_SHORT_BE = word_set("s re m")
"""Behind an apostrophe: "it's closed"; where it tells an owner ("the club's closed bar") there is no verb in the past either."""
_ADVERBS = word_set("not t ' ’ now still also again already yet only just all both always often never")
"""These and words in -ly stand between "is" and its participle."""
_INVERTING = word_set(", and but or so when where why how")
"""Before "is", these tell of a question whose subject follows it."""
_ASKED_THING = word_set("how what which")
_ENDS = frozenset([".", "!", "?", ";", "\n"])


def is_past_verb(words: Sequence[str], place: int) -> bool:
    """Return whether a word stands as a verb in the past.

    It is none in a name, behind an article, or as the participle of "is" or "be".

    Example:
        >>> said = "The united club is closed , Ada resigned .".split()
        >>> [word for place, word in enumerate(said) if is_past_verb(said, place)]
        ['resigned']
    """
    word, before = words[place], words[place - 1].lower() if place else "."
    if not is_past(word.lower()) or before in _ARTICLES:
        return False
    named = word[0].isupper() and not word.isupper() and before not in _ENDS
    return not named and not _is_passive(words, place)


def _is_passive(words: Sequence[str], place: int) -> bool:
    """Return whether a participle belongs to a form of "is" or "be"."""
    verb = _verb_of(words, place)
    if verb < 0 or words[place].lower() in _FINITE:
        return False
    if words[verb].lower() in _BE or _is_short_be(words, verb):
        return True
    if words[verb].lower() in _SUBJECTS and words[max(verb - 1, 0)].lower() not in _BE:
        return False  # "is this the film he made"
    for index in range(verb, max(verb - _SEEN_BEFORE, -1), -1):  # "is the library closed"
        word = words[index].lower()
        if word in _ENDS or word in _CLAUSES or word in _FINITE:
            return False
        if word in _BE:
            return _opens_question(words, index)
    return False


def _verb_of(words: Sequence[str], place: int) -> int:
    """Return the place before a participle, adverbs left out."""
    verb = place - 1
    while verb >= 0 and (words[verb].lower() in _ADVERBS or words[verb].endswith("ly")):
        verb -= 1
    return verb


def _is_short_be(words: Sequence[str], place: int) -> bool:
    return place > 0 and words[place].lower() in _SHORT_BE and words[place - 1] in ("'", "’")


def _opens_question(words: Sequence[str], place: int) -> bool:
    """Return whether the subject of a verb follows it: "when is the ..."."""
    before = [word.lower() for word in words[max(place - 2, 0) : place]]
    if not before or before[-1] in _ENDS or before[-1] in _INVERTING:
        return True
    return before[0] in _ASKED_THING and len(before) == 2  # "how long is", "on which days are"


def _is_future(words: Sequence[str], place: int) -> bool:
    """Return whether a word looks ahead where it stands."""
    word = words[place].lower()
    return word in _FUTURE and (word not in _FORESEEN or _is_foreseen(words, place))


def _is_foreseen(words: Sequence[str], place: int) -> bool:
    """Return whether "expected" or "due" tells of what is to come.

    It does not in a comparison ("lower than expected"), nor as a reason: "closed due to snow".
    """
    before = [word.lower() for word in words[max(place - 3, 0) : place] if not word.endswith("ly")]
    if "than" in before or before[-1:] == ["as"]:
        return False
    if words[place].lower() != "due" or words[place + 1 : place + 2] != ["to"]:
        return True
    verb = _verb_of(words, place)
    return verb >= 0 and (words[verb].lower() in _BE | _WAS or _is_short_be(words, verb))


def looks_back(words: Sequence[str], first: int) -> bool:
    """Return whether a verb in the past stands right before a time.

    Example:
        >>> looks_back("the fee agreed in February".split(), 4), looks_back("it is closed in February".split(), 4)
        (True, False)
    """
    verb = first - 2 if first and words[first - 1].lower() in _WITHIN else first - 1
    return verb >= 0 and not _is_future(words, verb) and is_past_verb(words, verb)


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
        if _is_future(words, index) or (word in ("plan", "plans") and words[index + 1] == "to"):
            return True
        if word == "." or is_past_verb(words, index):
            break
    leading = [word.lower() for word in words[max(first - 3, 0) : first]]
    if leading == ["as", "soon", "as"] or _leads_up_to(words, first, last) or is_moved_to(words, first):
        return True
    if _clause_looks_back(words, first):
        return words[last : last + 1] in (["will"], ["shall"])
    return _looks_ahead_behind(words, first, last)


def _leads_up_to(words: Sequence[str], first: int, last: int) -> bool:
    """Return whether the word before makes it a day to come.

    Not where a verb in the past tells what was so by then.
    """
    word = words[first - 1].lower() if first else ""
    if word not in _UP_TO:
        return False
    if word == "effective" or (word in _BOUNDS and opens_sentence(words, first)):
        return not _told_as_past(words, last)
    return word not in _BOUNDS or not _clause_looks_back(words, first, to_do=False)


def _clause_looks_back(words: Sequence[str], first: int, *, to_do: bool = True) -> bool:
    """Return whether the clause of a time looks back before it.

    A verb in the past stands there. What follows is another clause then ("was elected on Sunday and will serve"), unless the time itself is its subject's ("said the
    show on Friday will"). Without `to_do`, what was to be done is not past: "agreed to pay".
    """
    for index in range(first - 1, max(first - _SEEN_BEFORE, 0) - 1, -1):
        word = words[index]
        if word in _ENDS or word in _CLAUSES or (not to_do and word == "to" and _is_infinitive(words[index + 1])):
            return False
        if is_past_verb(words, index):
            return True
    return False


def _is_infinitive(word: str) -> bool:
    """Return whether the word behind "to" may be a verb."""
    return word.islower() and word.isalpha() and word not in _DETERMINERS


_CLAUSES = word_set("that because which who whose whether if although while so")
_ARTICLES = word_set("a an the its his her their our my your no any")
_DETERMINERS = _ARTICLES | word_set("this that these those some")


def _looks_ahead_behind(words: Sequence[str], first: int, last: int) -> bool:
    """Return whether the words behind a time look ahead."""
    opening = opens_sentence(words, first)
    for index in range(last, min(last + (_SEEN_AHEAD if opening else _SEEN_AFTER), len(words) - 1)):
        word = words[index]
        if word == "." or ((opening or word in PAST) and is_past_verb(words, index)):
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
    for index in range(last, min(last + _SEEN_AFTER, len(words))):
        if words[index] in _ENDS:
            return False
        if is_past_verb(words, index):
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
    start, end = _sentence(words, first, last)
    if end - start > _LONGEST_PLAN or any(is_past_verb(words, place) for place in range(start, end)):
        return False
    return any(word.lower() in _ARRANGED for word in words[start:end])


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
    if any(is_past_verb(words, place) for place in range(len(words))):
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
    start, end = _sentence(words, first, last)
    sentence = [word.lower() for word in words[start:end]]
    return len(sentence) > _LONGEST_PLAN or any(word in _MEASURES or is_past(word) for word in sentence)


def _sentence(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return where the sentence around a time starts and ends."""
    start, end = first, last
    while start > max(first - _SEEN_AHEAD, 0) and words[start - 1] not in _ENDS:
        start -= 1
    while end < min(last + _SEEN_AHEAD, len(words)) and words[end] not in _ENDS:
        end += 1
    return start, end
