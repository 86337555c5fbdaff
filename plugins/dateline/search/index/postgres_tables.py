"""Tables and statements of a library in PostgreSQL."""

from __future__ import annotations

from dateline.temporal.interval import DAY

TABLES = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    """CREATE TABLE IF NOT EXISTS dateline_index_about (
        format integer NOT NULL, settings text NOT NULL, dimensions integer,
        next bigint NOT NULL DEFAULT 1, analysed bigint NOT NULL DEFAULT 1,
        passages bigint NOT NULL DEFAULT 0, documents bigint NOT NULL DEFAULT 0, words bigint NOT NULL DEFAULT 0,
        title_words bigint NOT NULL DEFAULT 0, own_titles bigint NOT NULL DEFAULT 0)""",
    """CREATE TABLE IF NOT EXISTS dateline_index_parts (
        name text PRIMARY KEY, state text NOT NULL, first bigint NOT NULL, size integer NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS dateline_index_passages (
        number bigint PRIMARY KEY, document bigint NOT NULL, place integer NOT NULL,
        known_from bigint NOT NULL, valid_from bigint NOT NULL, valid_until bigint NOT NULL,
        length integer NOT NULL, title_length integer NOT NULL,
        terms bigint[] NOT NULL, counts integer[] NOT NULL, title_terms bigint[] NOT NULL, title_counts integer[] NOT NULL,
        vector halfvec NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS dateline_index_texts (
        number bigint PRIMARY KEY, place integer NOT NULL, evidence text NOT NULL, prepared bytea NOT NULL)""",
    # Prepared passages are numbers, which do not compress.
    "ALTER TABLE dateline_index_texts ALTER COLUMN prepared SET STORAGE EXTERNAL",
    """CREATE TABLE IF NOT EXISTS dateline_index_terms (
        term bigint PRIMARY KEY, passages bigint NOT NULL, documents bigint NOT NULL, titles bigint NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS dateline_index_days (day bigint PRIMARY KEY, passages bigint NOT NULL)",
    "CREATE INDEX IF NOT EXISTS dateline_index_passages_known ON dateline_index_passages (known_from)",
    "CREATE INDEX IF NOT EXISTS dateline_index_passages_stated ON dateline_index_passages (valid_from)",
    "CREATE INDEX IF NOT EXISTS dateline_index_passages_document ON dateline_index_passages (document)",
    "CREATE INDEX IF NOT EXISTS dateline_index_passages_terms ON dateline_index_passages USING gin (terms)",
)

MAKE_GRAPH = (
    "CREATE INDEX IF NOT EXISTS dateline_index_passages_vector ON dateline_index_passages "
    "USING hnsw (vector halfvec_ip_ops)"
)

COPY_PASSAGES = "COPY dateline_index_passages FROM STDIN"
COPY_TEXTS = "COPY dateline_index_texts FROM STDIN"

_SPAN = "number >= %(first)s AND number < %(end)s"

ACCOUNT = (
    f"""INSERT INTO dateline_index_terms
        SELECT term, %(sign)s * sum(passages), %(sign)s * sum(documents), %(sign)s * sum(titles) FROM (
            SELECT term, count(*) AS passages, count(DISTINCT document) AS documents, 0 AS titles
            FROM dateline_index_passages, unnest(terms) AS term WHERE {_SPAN} GROUP BY term
            UNION ALL
            SELECT term, 0, 0, count(*) FROM dateline_index_passages, unnest(title_terms) AS term
            WHERE {_SPAN} GROUP BY term) AS said
        GROUP BY term
        ON CONFLICT (term) DO UPDATE SET passages = dateline_index_terms.passages + excluded.passages,
            documents = dateline_index_terms.documents + excluded.documents,
            titles = dateline_index_terms.titles + excluded.titles""",
    f"""INSERT INTO dateline_index_days
        SELECT floor(known_from / {DAY}.0)::bigint, %(sign)s * count(*) FROM dateline_index_passages
        WHERE {_SPAN} GROUP BY 1
        ON CONFLICT (day) DO UPDATE SET passages = dateline_index_days.passages + excluded.passages""",
    f"""UPDATE dateline_index_about SET passages = dateline_index_about.passages + %(sign)s * said.passages,
            documents = dateline_index_about.documents + %(sign)s * said.documents,
            words = dateline_index_about.words + %(sign)s * said.words,
            title_words = dateline_index_about.title_words + %(sign)s * said.title_words,
            own_titles = dateline_index_about.own_titles + %(sign)s * said.own_titles
        FROM (SELECT count(*) AS passages, count(*) FILTER (WHERE place = 0) AS documents,
                coalesce(sum(length), 0) AS words, coalesce(sum(title_length), 0) AS title_words,
                coalesce(sum(title_length) FILTER (WHERE place = 0), 0) AS own_titles
            FROM dateline_index_passages WHERE {_SPAN}) AS said""",
)
"""What counts the passages of a span in (`sign` 1) or out (-1)."""

_BEGAN = "CASE WHEN valid_from < %(latest)s THEN greatest(known_from, valid_from) ELSE known_from END AS began"
"""Since when a passage holds, as `Columns.began` has it."""

NEAR = f"""SELECT number, {_BEGAN}, -(vector <#> %(vector)s::halfvec) AS score FROM dateline_index_passages
    WHERE {{condition}} ORDER BY {{order}} LIMIT %(count)s"""

BM25 = f"""SELECT number, began, score FROM (
        SELECT number, began, {{score}} AS score FROM (
            SELECT number, {_BEGAN}, terms, counts,
                %(k1)s::float8 * (1 - %(b)s::float8 + %(b)s::float8 * length / %(mean)s::float8) AS norm
            FROM dateline_index_passages WHERE terms {{holds}} %(chosen)s::bigint[] AND {{condition}}
            LIMIT %(budget)s) AS held) AS scored
    ORDER BY score DESC, number LIMIT %(count)s"""

BM25_OF_TERM = (
    "coalesce(%(rarity{place})s::float8 * (%(k1)s::float8 + 1) "
    "/ (1 + norm / counts[array_position(terms, %(term{place})s::bigint)]), 0)"
)

_COUNTED = "ARRAY(SELECT coalesce({counts}[array_position({terms}, term)], 0) FROM unnest(%(terms)s::bigint[]) AS term)"

DOCUMENTS = f"""SELECT document, number, length, title_length,
        {_COUNTED.format(counts="counts", terms="terms")} AS counts,
        {_COUNTED.format(counts="title_counts", terms="title_terms")} AS title_counts
    FROM dateline_index_passages
    WHERE document IN (SELECT document FROM dateline_index_passages WHERE number = ANY(%(numbers)s::bigint[]))
    ORDER BY document, place"""
