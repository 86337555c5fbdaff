"""`dateline generate`: an answer whose model looks up what it doubts."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from dateline.temporal.as_of import read_moment
from dateline_cli.bulk import refuse_together
from dateline_cli.files import PAGE, check_target, write_whole
from dateline_cli.options import add_options, add_outputs, add_question, given_options
from dateline_cli.show import SafeConsole, print_json

if TYPE_CHECKING:
    from dateline.dynamic import Generation, Retrieval, RetrievingGenerator


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    commands.add_parser(
        "generate",
        help="write an answer, looking things up on the way",
        description=__doc__,
        epilog='Example: dateline generate "Who is the pope?" --model models/llama --docs notes --as-of 2010 --show',
        fill=_fill,
    )


def _fill(command: argparse.ArgumentParser) -> None:
    from dateline_graphs.generate_options import GenerateOptions

    add_question(command)
    add_options(command, GenerateOptions, required=["model", "docs"])
    command.add_argument("--show", action="store_true", help="print each token's score and where it was looked up")
    add_outputs(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Validate everything, then write."""
    if arguments.json:
        refuse_together(arguments, "--json", "show")
    as_of = read_moment(arguments.as_of)
    check_target(arguments.report, what="the page", mark=PAGE)

    from dateline_graphs.generate_options import GenerateOptions, generator_for

    options = given_options(arguments, GenerateOptions)
    generator = generator_for(options, question=arguments.question)
    made = generator.generate(arguments.question, as_of=as_of)
    from dateline_graphs.page import render

    if arguments.report:
        write_whole(arguments.report, text=render(made), what="the page")
    console = SafeConsole(soft_wrap=True)
    if arguments.json:
        print_json(made)
    elif arguments.show:
        _show(made, generator, console=console)
    else:
        console.print(Text(made.text))
        console.print(Text(made.statement, style="dim"))
    return 0


def _show(made: Generation, generator: RetrievingGenerator, *, console: Console) -> None:
    """The text with scores, then the retrievals and the cost."""
    above = f", theta {made.threshold:.3f}" if made.threshold is not None else ""
    console.print(Text(f"{generator.options.trigger.name}{above}: text[score], and <number> where it was looked up"))
    console.print(_scored(made))
    for one in made.retrievals:
        _show_retrieval(one, console=console)
    console.print(Text(made.statement))
    cost = made.cost
    told = f"Cost: {cost.model_calls} passes of the model, {cost.input_tokens} tokens read, "
    told += f"{cost.output_tokens} written, {cost.searches} searches, {cost.seconds:.2f} s."
    console.print(Text(told, style="dim"))


def _scored(made: Generation) -> Text:
    from dateline_graphs.page.generation import score_of

    text = Text()
    greatest = max(map(score_of, made.tokens), default=0.0)
    for place in range(len(made.tokens) + 1):
        for one in made.retrievals:
            if min(one.position, len(made.tokens)) == place:
                text.append(f"<{one.number}>", style="bold cyan")
        if place < len(made.tokens):
            token = made.tokens[place]
            score = score_of(token)
            text.append(token.text, style="bold yellow" if greatest and score > greatest / 2 else "")
            if score > 0:
                text.append(f"[{score:.2f}]", style="dim")
    return text


def _show_retrieval(one: Retrieval, *, console: Console) -> None:

    console.print(Text(f"<{one.number}> {one.reason}", style="cyan"))
    if one.withdrawn_text.strip():
        console.print(Text(f"    withdrew: {one.withdrawn_text.strip()}"))
    console.print(Text(f"    asked: {one.query}"))
    if one.note:
        console.print(Text(f"    {one.note}", style="yellow"))
    for document in one.documents:
        title = document.title or document.source or " ".join(document.text.split())[:70]
        console.print(Text(f"    found: {document.published or 'undated'} {title}"))
