import { editDistance } from './edit-distance.ts'
import { queryOf, type TextQuery } from './text-query.ts'

/** The search index: the shop's database, or the catalogue on a device. */
export interface Searched {
  readonly knownWords: (words: readonly string[]) => Promise<ReadonlySet<string>>
  /** Similar words, with the number of titles that use them. */
  readonly nearWords: (word: string, limit: number) => Promise<readonly { word: string; uses: number }[]>
  /** The index of the first query with results; null if no query has results. */
  readonly firstThatFinds: (queries: readonly TextQuery[]) => Promise<number | null>
}

/** The maximum number of corrected queries to try. */
const MOST_READINGS = 16
const NEAR_WORDS = 60
const EACH = 3
/** Known words shorter than this are never corrected. */
const SHORTEST_DOUBTED = 5
/** The minimum length of each half when a word is split; the index has no shorter words. */
const SHORTEST_PART = 3

/**
 * Corrects a query without results: returns the query with the fewest edits that has results, and among equals the one
 * with the most frequent words. Null if the query has results, or if no similar query has.
 */
export async function correctedQuery(searched: Searched, query: TextQuery): Promise<TextQuery | null> {
  const pairs = query.words.slice(1).map((word, place) => query.words[place]! + word)
  const known = await searched.knownWords([
    ...query.words,
    ...pairs.flatMap((pair) => [pair, `${pair}s`]),
    ...query.words.flatMap((word) => cutsOf(word).flat()),
  ])
  const strange = query.words.filter((word) => !known.has(word))
  const joined = pairs.flatMap((pair, place) =>
    known.has(pair) || known.has(`${pair}s`)
      ? [[...query.words.slice(0, place), pair, ...query.words.slice(place + 2)]]
      : [],
  )
  // Correct known words only if correcting the unknown ones did not help, and short ones never: each word costs a
  // query.
  const some = strange.length > 0 && strange.length < query.words.length
  const doubtful = query.words.filter((word) => !known.has(word) || word.length >= SHORTEST_DOUBTED)
  for (const doubted of some ? [strange, doubtful] : [query.words]) {
    const alternatives = await Promise.all(
      query.words.map(async (word) =>
        doubted.includes(word) ? alternativesOf(searched, word, known) : [{ word, edits: 0 }],
      ),
    )
    const readings = [...joined, ...readingsOf(alternatives)].map((words) => queryOf(words))
    const place = await searched.firstThatFinds([query, ...readings])
    if (place !== null) return place === 0 ? null : readings[place - 1]!
  }
  return null
}

interface Alternative {
  /** One word, or two with a space between them. */
  readonly word: string
  readonly edits: number
}

/** The word as typed, the most similar words, and the word split in two. Short words and numbers are not corrected. */
async function alternativesOf(
  searched: Searched,
  word: string,
  known: ReadonlySet<string>,
): Promise<Alternative[]> {
  const typed = { word, edits: 0 }
  const most = word.length >= 7 ? 2 : word.length >= 4 ? 1 : 0
  if (most === 0 || !/^\p{L}+$/u.test(word)) return [typed]
  const near = (await searched.nearWords(word, NEAR_WORDS))
    .map((other) => ({ ...other, edits: editsToAny(word, other.word, most) }))
    .filter(({ edits }) => edits > 0 && edits <= most)
    .sort((one, other) => one.edits - other.edits || other.uses - one.uses)
  const cut = cutsOf(word).find((halves) => halves.every((half) => known.has(half)))
  return [typed, ...near.slice(0, EACH), ...(cut ? [{ word: cut.join(' '), edits: 1 }] : [])]
}

/** Search matches prefixes, so a misspelt singular must also match the plural in a title. */
const editsToAny = (typed: string, word: string, most: number): number =>
  Math.min(editDistance(typed, word, most), editDistance(typed, word.replace(/s$/, ''), most))

/** All ways to split a word in two; numbers are not split. */
const cutsOf = (word: string): [string, string][] =>
  /^\p{L}+$/u.test(word)
    ? Array.from({ length: Math.max(0, word.length - 2 * SHORTEST_PART + 1) }, (_, place) => [
        word.slice(0, place + SHORTEST_PART),
        word.slice(place + SHORTEST_PART),
      ])
    : []

/** All combinations of one alternative per word, those with the fewest edits first. */
function readingsOf(alternatives: readonly (readonly Alternative[])[]): string[][] {
  let readings: { words: string[]; edits: number }[] = [{ words: [], edits: 0 }]
  for (const choices of alternatives)
    readings = readings
      .flatMap(({ words, edits }) =>
        choices.map((choice) => ({ words: [...words, choice.word], edits: edits + choice.edits })),
      )
      .sort((one, other) => one.edits - other.edits)
      .slice(0, MOST_READINGS)
  return readings
    .filter(({ edits }) => edits > 0)
    .map(({ words }) => words.flatMap((word) => word.split(' ')))
}
