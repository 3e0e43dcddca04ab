import type { BookCard } from '#contract/catalogue.ts'
import type { Series, SeriesTitle } from '#contract/series.ts'
import { toMinor } from '#format/money.ts'

export interface TitleHere {
  readonly title: SeriesTitle
  /** The format that the user owns, else the audiobook; undefined if the shop has neither. */
  readonly book: BookCard | undefined
  readonly owned: boolean
}

function titleHere(title: SeriesTitle): TitleHere {
  const { audioBook, eBook } = title
  const own = [audioBook, eBook].find((book) => book?.inLibrary)
  return { title, book: own ?? audioBook ?? eBook ?? undefined, owned: own !== undefined }
}

/** The server's order is by publication. */
export const inOrder = (series: Series, byStory: boolean): TitleHere[] =>
  (byStory ? series.inOrder.toSorted((one, other) => one.storyPlace - other.storyPlace) : series.inOrder).map(
    titleHere,
  )

/** What the user can still buy: has a price, and isn't owned in either format. */
export const missingOf = (titles: readonly TitleHere[]): BookCard[] =>
  titles.flatMap(({ title: { audioBook, eBook }, owned }) => {
    if (owned) return []
    const book = [audioBook, eBook].find((each) => each?.published && !each.geoBlocked)
    return book && book.price > 0 ? [book] : []
  })

interface Sum {
  /** What this user pays for all of them, in pence. */
  readonly minor: number
  /** The price for the others: members, or non-members. Undefined if it is the same. */
  readonly othersMinor: number | undefined
}

export function sumOf(missing: readonly BookCard[], isMember: boolean): Sum {
  const sum = (priceOf: (book: BookCard) => number) =>
    missing.reduce((total, book) => total + toMinor(priceOf(book)), 0)
  const everybodys = sum(({ price }) => price)
  const members = sum(({ price, subscriptionPrice }) => Math.min(price, subscriptionPrice))
  const [minor, other] = isMember ? [members, everybodys] : [everybodys, members]
  return { minor, othersMinor: minor === other ? undefined : other }
}

const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const inWords = (count: number): string => WORDS[count] ?? String(count)

/** "A series of five. You have two." */
export function countWords(titles: readonly TitleHere[]): string {
  const owned = titles.filter((title) => title.owned).length
  const of = `A series of ${inWords(titles.length)}.`
  return owned === 0 || owned === titles.length ? of : `${of} You have ${inWords(owned)}.`
}

/** "All five are yours", once there is nothing that is not. */
export const allYours = (titles: readonly TitleHere[]): string | undefined =>
  titles.length > 0 && titles.every(({ owned }) => owned)
    ? titles.length === 1
      ? 'It’s yours'
      : `${titles.length === 2 ? 'Both' : `All ${inWords(titles.length)}`} are yours`
    : undefined

/** "for the two you’re missing", or for all of it. */
export const missingWords = (missing: number, titles: readonly TitleHere[]): string =>
  titles.some(({ owned }) => owned)
    ? `for the ${missing === 1 ? 'one' : inWords(missing)} you’re missing`
    : missing === 1
      ? 'for the one you can have now'
      : `for ${missing === 2 ? 'both' : `all ${inWords(missing)}`}`

/** "Add both to bag". */
export const addWords = (count: number): string =>
  count === 1 ? 'Add it to bag' : `Add ${count === 2 ? 'both' : `all ${inWords(count)}`} to bag`
