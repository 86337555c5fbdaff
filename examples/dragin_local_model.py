"""DRAGIN on a local model: it stops where it is in doubt, looks things up, and goes on.

    python examples/dragin_local_model.py                      # a tiny random model, built on the spot
    python examples/dragin_local_model.py path/of/your/model   # any causal model of transformers

`before` is `model.generate`: nothing is looked up, whatever the model does not know. `after` puts `DynamicGenerator` around the
same model, the lines marked `# dateline`. The tiny model writes nonsense in both; where it stops, what it asks, and what it is
given are real. Needs the extra "transformers".
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any

from notes import load_notes

from dateline import Evidence, Interval
from dateline.dynamic import AnyOf, AttentionQuery, Bm25Search, Dated, DynamicGenerator, Generation, Outdated, Rind
from dateline.testing import tiny_causal_model

QUESTION = "Who is the chief executive of Twitter?"
TOKENS = 24


def load(path: str = "") -> tuple[Any, Any]:
    """The model and tokenizer that the app has."""
    if path:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        return AutoModelForCausalLM.from_pretrained(path), AutoTokenizer.from_pretrained(path)
    return tiny_causal_model(texts=[note.text for note in load_notes()[:60]])


def before(model: Any, tokenizer: Any) -> str:
    """Plain generation."""
    given = tokenizer(f"Question: {QUESTION}\nAnswer:", return_tensors="pt")
    written = model.generate(
        input_ids=given["input_ids"],
        attention_mask=given["attention_mask"],
        max_new_tokens=TOKENS,
        do_sample=False,
        pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id,
    )
    return str(tokenizer.decode(written[0, given["input_ids"].shape[1] :], skip_special_tokens=True))


def after(model: Any, tokenizer: Any, *, as_of: datetime) -> Generation:
    """The same model, with retrieval where it is in doubt, or may be out of date."""
    notes = [
        Evidence.make(note.text, title=note.title, source=note.source, published=Interval.parse(note.date))
        for note in load_notes()
    ]
    generator = DynamicGenerator(  # dateline
        model,
        tokenizer=tokenizer,
        retriever=Bm25Search(notes),  # dateline; or any retriever of LangChain or LlamaIndex
        trigger=AnyOf(
            [Outdated(Interval.parse("2010")), Rind(0.05)]
        ),  # dateline; calibrate() finds a threshold for yours
        query=Dated(AttentionQuery(8, scope="question and answer")),  # dateline
        max_new_tokens=TOKENS,
        max_retrievals=2,
    )
    return generator.generate(QUESTION, as_of=as_of)  # dateline


def main(path: str = "") -> None:
    """Generate with both."""
    model, tokenizer = load(path)
    print(QUESTION)
    print("before:", repr(before(model, tokenizer)))
    print("  looked up: nothing")
    for day in (datetime(2012, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)):
        generation = after(model, tokenizer, as_of=day)
        print(f"after, as of {day:%Y-%m-%d}:", repr(generation.text))
        print("  ", generation.statement)
        for one in generation.retrievals:
            found = one.documents[0]
            print(f"   {one.trigger} takes back {one.withdrawn} tokens and asks {one.query!r}")
            print(f"     first of {len(one.documents)} notes: {found.title} ({found.published})")


if __name__ == "__main__":
    main(*sys.argv[1:2])
