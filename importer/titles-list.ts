import { Option } from '@commander-js/extra-typings'
import type { Shown } from '#server/commands/frame.ts'
import { counted, table, CSV_MARK, csvLine } from '#server/print/table.ts'
import {
  findTitles,
  MISSING,
  type OwnersTitle,
  TITLE_STATES,
  type TitleFilter,
  type Title,
} from '#server/features/catalogue/title-states.ts'
import { formatPounds } from '#server/format.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import type { Shop } from '#server/shop.ts'
import { notFound, refused } from '#server/http/http-errors.ts'

const FORMATS: Readonly<Record<string, Title['format']>> = { audiobook: 'audio_book', 'e-book': 'e_book' }
export const FORMAT_WORDS = { audio_book: 'audiobook', e_book: 'e-book' } as const

export function formatTyped(said: string): Title['format'] {
  const format = FORMATS[said]
  if (!format) throw new BadSetting(`--format is audiobook or e-book, not “${said}”.`)
  return format
}

export const formatOption = () =>
  new Option('--format <format>', 'audiobook or e-book, if the title has both; both by default').argParser(
    formatTyped,
  )
export const stateOption = () =>
  new Option('--state <state>', 'Only titles in this state').choices(TITLE_STATES)
export const missingOption = () =>
  new Option('--missing <what>', 'Only titles that lack this').choices(MISSING)

export interface FilterOptions {
  readonly format?: Title['format'] | undefined
  readonly state?: (typeof TITLE_STATES)[number] | undefined
  readonly missing?: (typeof MISSING)[number] | undefined
}

export const filterOf = ({ format, state, missing }: FilterOptions, words: string): TitleFilter => ({
  words,
  ...(format ? { format } : {}),
  ...(state ? { state } : {}),
  ...(missing ? { missing } : {}),
})

export async function listTitles(
  shop: Shop,
  words: string,
  options: FilterOptions & { readonly csv?: true | undefined },
): Promise<Shown> {
  const titles = await findTitles(shop.db, filterOf(options, words))
  if (options.csv) return { lines: csvOf(titles), json: titles }
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

/** The columns for `titles price --csv` come first. */
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

/** By its slug, its name, or words that match no other title. */
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
