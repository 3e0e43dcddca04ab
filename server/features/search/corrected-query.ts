import type { Db } from '../../db/open.ts'
import { editDistance } from './edit-distance.ts'
import { selectFirstThatFinds, selectKnownWords, selectNearWords, type Shelf } from './rows.ts'
import { queryOf, type TextQuery } from './text-query.ts'

/** More readings than these are guesses. */
const MOST_READINGS = 16
const NEAR_WORDS = 60
const EACH = 3
/** A shorter word that the shop knows is believed. */
const SHORTEST_DOUBTED = 5
/** Of two words that were written as one; the shop keeps no shorter words. */
const SHORTEST_PART = 3

/**
 * Corrects words that find nothing on these shelves: the fewest slips away that finds something, and of those the
 * words the shop uses most. Null where the words do find something there, or nothing near them does.
 */
export async function correctedQuery(
  db: Db,
  shelves: readonly Shelf[],
  query: TextQuery,
): Promise<TextQuery | null> {
  const pairs = query.words.slice(1).map((word, place) => query.words[place]! + word)
  const known = await selectKnownWords(db, [
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
  // Words the shop knows are doubted only where mending the others did not help, and short ones never: each one
  // costs a look-up.
  const some = strange.length > 0 && strange.length < query.words.length
  const doubtful = query.words.filter((word) => !known.has(word) || word.length >= SHORTEST_DOUBTED)
  for (const doubted of some ? [strange, doubtful] : [query.words]) {
    const alternatives = await Promise.all(
      query.words.map(async (word) =>
        doubted.includes(word) ? alternativesOf(db, word, known) : [{ word, edits: 0 }],
      ),
    )
    const readings = [...joined, ...readingsOf(alternatives)].map((words) => queryOf(words))
    const place = await selectFirstThatFinds(db, shelves, [query, ...readings])
    if (place !== null) return place === 0 ? null : readings[place - 1]!
  }
  return null
}

interface Alternative {
  /** Or two, with a space between. */
  readonly word: string
  readonly edits: number
}

/** The word as typed, the few that are nearest to it, and it cut in two. Short words and numbers are believed. */
async function alternativesOf(db: Db, word: string, known: ReadonlySet<string>): Promise<Alternative[]> {
  const typed = { word, edits: 0 }
  const most = word.length >= 7 ? 2 : word.length >= 4 ? 1 : 0
  if (most === 0 || !/^\p{L}+$/u.test(word)) return [typed]
  const near = (await selectNearWords(db, word, NEAR_WORDS))
    .map((other) => ({ ...other, edits: editsToAny(word, other.word, most) }))
    .filter(({ edits }) => edits > 0 && edits <= most)
    .sort((one, other) => one.edits - other.edits || other.uses - one.uses)
  const cut = cutsOf(word).find((halves) => halves.every((half) => known.has(half)))
  return [typed, ...near.slice(0, EACH), ...(cut ? [{ word: cut.join(' '), edits: 1 }] : [])]
}

/** A search finds by beginnings: whoever mistypes the singular means the plural of the title too. */
const editsToAny = (typed: string, word: string, most: number): number =>
  Math.min(editDistance(typed, word, most), editDistance(typed, word.replace(/s$/, ''), most))

/** Every way in which a space may be missing in a word; numbers are no words. */
const cutsOf = (word: string): [string, string][] =>
  /^\p{L}+$/u.test(word)
    ? Array.from({ length: Math.max(0, word.length - 2 * SHORTEST_PART + 1) }, (_, place) => [
        word.slice(0, place + SHORTEST_PART),
        word.slice(place + SHORTEST_PART),
      ])
    : []

/** Every choice of one alternative for each word, those with the fewest slips first. */
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
