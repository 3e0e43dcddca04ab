import { type Shown, type Typed, textOf } from '#server/commands/owner-command.ts'
import { counted, table } from '#server/print/table.ts'
import {
  findTitles,
  MISSING,
  type OwnersTitle,
  TITLE_STATES,
  type TitleFilter,
  type Title,
} from '#server/features/catalogue/title-states.ts'
import { formatPounds } from '#server/format.ts'
import { CSV_MARK, csvLine } from '#server/print/csv.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import type { Shop } from '#server/shop.ts'
import { notFound, refused } from '#server/http/http-errors.ts'

const FORMATS: Readonly<Record<string, Title['format']>> = { audiobook: 'audio_book', 'e-book': 'e_book' }
export const FORMAT_WORDS = { audio_book: 'audiobook', e_book: 'e-book' } as const

export function formatTyped(said: string | undefined): Title['format'] {
  const format = said === undefined ? undefined : FORMATS[said]
  if (said !== undefined && !format) throw new BadSetting(`--format is audiobook or e-book, not “${said}”.`)
  return format
}

export function filterTyped(typed: Typed, words: string): TitleFilter {
  const format = formatTyped(textOf(typed, 'format'))
  const state = oneOf('--state', TITLE_STATES, textOf(typed, 'state'))
  const missing = oneOf('--missing', MISSING, textOf(typed, 'missing'))
  return {
    words,
    ...(format ? { format } : {}),
    ...(state ? { state } : {}),
    ...(missing ? { missing } : {}),
  }
}

function oneOf<T extends string>(
  option: string,
  known: readonly T[],
  said: string | undefined,
): T | undefined {
  const found = known.find((each) => each === said)
  if (said !== undefined && !found)
    throw new BadSetting(`${option} is one of ${known.join(', ')}, not “${said}”.`)
  return found
}

export async function listTitles(shop: Shop, typed: Typed): Promise<Shown> {
  const titles = await findTitles(shop.db, filterTyped(typed, typed.words.join(' ')))
  if (typed.values.csv === true) return { lines: csvOf(titles), json: titles }
  if (titles.length === 0) return { lines: ['No title is like that.'], json: titles }
  return {
    lines: [
      ...table([
        ['Address', 'Title', 'Author', 'Format', 'Price', 'State', 'Missing'],
        ...titles.map((title) => [
          title.slug,
          title.title,
          title.authors ?? '',
          FORMAT_WORDS[title.format],
          title.missing.includes('price') ? '–' : formatPounds(title.priceMinor),
          title.effectiveState,
          title.missing.join(', '),
        ]),
      ]),
      `${counted(titles.length, 'title')}.`,
    ],
    json: titles,
  }
}

/** The columns for `titles price --csv` come first, so that the table can be edited and imported. */
const csvOf = (titles: readonly OwnersTitle[]): string[] => [
  CSV_MARK +
    csvLine([
      'slug',
      'format',
      'price',
      'member_price',
      'title',
      'authors',
      'publisher',
      'isbn',
      'state',
      'missing',
      'set_by_owner',
    ]).trimEnd(),
  ...titles.map((title) =>
    csvLine([
      title.slug,
      FORMAT_WORDS[title.format],
      title.missing.includes('price') ? '' : pounds(title.priceMinor),
      title.memberPriceMinor === null ? '' : pounds(title.memberPriceMinor),
      title.title,
      title.authors ?? '',
      title.publisher ?? '',
      title.isbn ?? '',
      title.effectiveState,
      title.missing.join(', '),
      title.setByOwner.join(', '),
    ]).trimEnd(),
  ),
]

const pounds = (minor: number): string => (minor / 100).toFixed(2)

/** Finds one title by its slug, its name, or words that match no other title, and returns its slug. */
export async function slugOf(shop: Shop, words: string): Promise<string> {
  const exact = words.trim().toLowerCase()
  const found = await findTitles(shop.db, { words })
  const byTitle = found.filter(({ slug, title }) => slug === words || title.toLowerCase() === exact)
  const slugs = [
    ...new Set(
      (byTitle.some(({ slug }) => slug === words)
        ? byTitle.filter(({ slug }) => slug === words)
        : byTitle.length > 0
          ? byTitle
          : found
      ).map(({ slug }) => slug),
    ),
  ]
  if (slugs.length === 1) return slugs[0]!
  if (slugs.length === 0)
    throw notFound(`There is no title ${words}. npm run titles -- find WORDS looks for one.`)
  const shown = slugs.slice(0, 10).join(', ')
  throw refused(
    `${counted(slugs.length, 'title')} could be meant: ${shown}${slugs.length > 10 ? ' and more' : ''}. Name one of them.`,
  )
}
