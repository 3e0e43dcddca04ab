import type { Db } from '../../db/open.ts'
import { slipsBetween } from './distance.ts'
import { selectFirstThatFinds, selectKnownWords, selectNearWords, type Shelf } from './rows.ts'
import { queryOf, type TextQuery } from './text-query.ts'

/** More readings than these are guesses. */
const MOST_READINGS = 16
const NEAR_WORDS = 60
const EACH = 3

/**
 * What was meant by words that find nothing on these shelves: the fewest slips away that finds something, and of
 * those the words the shop uses most. Null where the words do find something there, or nothing near them does.
 */
export async function meantBy(
  db: Db,
  shelves: readonly Shelf[],
  query: TextQuery,
): Promise<TextQuery | null> {
  const known = await selectKnownWords(db, query.words)
  const strange = query.words.filter((word) => !known.has(word))
  // Words the shop knows are doubted only where mending the others did not help: each one costs a look-up.
  const some = strange.length > 0 && strange.length < query.words.length
  for (const doubted of some ? [strange, query.words] : [query.words]) {
    const alternatives = await Promise.all(
      query.words.map(async (word) =>
        doubted.includes(word) ? alternativesOf(db, word) : [{ word, slips: 0 }],
      ),
    )
    const readings = readingsOf(alternatives).map((words) => queryOf(words))
    const place = await selectFirstThatFinds(db, shelves, [query, ...readings])
    if (place !== null) return place === 0 ? null : readings[place - 1]!
  }
  return null
}

interface Alternative {
  readonly word: string
  readonly slips: number
}

/** The word as typed, and the few that are nearest to it. Short words and numbers are believed. */
async function alternativesOf(db: Db, word: string): Promise<Alternative[]> {
  const typed = { word, slips: 0 }
  const most = word.length >= 7 ? 2 : word.length >= 4 ? 1 : 0
  if (most === 0 || !/^\p{L}+$/u.test(word)) return [typed]
  const near = (await selectNearWords(db, word, NEAR_WORDS))
    .map((other) => ({ ...other, slips: slipsBetween(word, other.word, most) }))
    .filter(({ slips }) => slips > 0 && slips <= most)
    .sort((one, other) => one.slips - other.slips || other.uses - one.uses)
  return [typed, ...near.slice(0, EACH)]
}

/** Every choice of one alternative for each word, those with the fewest slips first. */
function readingsOf(alternatives: readonly (readonly Alternative[])[]): string[][] {
  let readings: { words: string[]; slips: number }[] = [{ words: [], slips: 0 }]
  for (const choices of alternatives)
    readings = readings
      .flatMap(({ words, slips }) =>
        choices.map((choice) => ({ words: [...words, choice.word], slips: slips + choice.slips })),
      )
      .sort((one, other) => one.slips - other.slips)
      .slice(0, MOST_READINGS)
  return readings.filter(({ slips }) => slips > 0).map(({ words }) => words)
}
