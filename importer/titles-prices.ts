import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Change } from '#server/commands/frame.ts'
import { counted } from '#server/print/table.ts'
import {
  findTitles,
  type OwnersTitle,
  type NewPrice,
  setPrices,
} from '#server/features/catalogue/title-states.ts'
import { formatPounds } from '#server/format.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import type { Shop } from '#server/shop.ts'
import { refused } from '#server/http/http-errors.ts'
import { filterOf, type FilterOptions, FORMAT_WORDS, formatTyped } from './titles-list.ts'

export function minorOf(pounds: string): number {
  if (!/^\d{1,4}(\.\d\d)?$/.test(pounds)) throw new BadSetting(`A price is written 9.99, not “${pounds}”.`)
  return Math.round(Number(pounds) * 100)
}

/** @throws `BadSetting` for a member price above the price, or below the price less the members' discount */
export function newPrice(
  { config }: Pick<Shop, 'config'>,
  price: string,
  member: string | undefined,
): NewPrice {
  const { memberDiscount } = config.details.terms
  const priceMinor = minorOf(price)
  const memberPriceMinor = member === undefined || member === '' ? null : minorOf(member)
  if (memberPriceMinor !== null && memberPriceMinor > priceMinor)
    throw new BadSetting('Members never pay more than others.')
  if (memberPriceMinor !== null && memberPriceMinor * 100 < priceMinor * (100 - memberDiscount))
    throw new BadSetting(
      `Members never pay more than ${memberDiscount}% less than others, and ${member} is less than that of ${price}.`,
    )
  return { priceMinor, memberPriceMinor }
}

interface Priced {
  readonly title: OwnersTitle
  readonly price: NewPrice
}

export async function priceFiltered(
  shop: Shop,
  pounds: string,
  options: FilterOptions & { readonly filter?: string | undefined; readonly member?: string | undefined },
): Promise<Change> {
  const price = newPrice(shop, pounds, options.member)
  const filter = filterOf(options, options.filter ?? '')
  const titles = await findTitles(shop.db, filter)
  if (titles.length === 0) throw refused('No title is like that, so no price changes.')
  return priceAll(
    shop,
    titles.map((title) => ({ title, price })),
  )
}

/** Columns: slug and price, optionally format and member_price, as `titles list --csv` writes them. */
export async function priceFromCsv(shop: Shop, path: string): Promise<Change> {
  const rows = await rowsOf(path)
  const titles = await findTitles(shop.db, {})
  const wrong: string[] = []
  const priced = new Map<string, Priced>()
  for (const [index, row] of rows.entries()) {
    const line = index + 2
    const { slug = '', price = '', format = '', member_price: member = '' } = row
    if (price === '') continue
    try {
      const wanted = format === '' ? undefined : formatTyped(format)
      const found = titles.filter((title) => title.slug === slug && (!wanted || title.format === wanted))
      if (found.length === 0) throw new BadSetting(`there is no title ${slug || 'without a slug'}.`)
      for (const title of found)
        priced.set(`${title.format}/${slug}`, { title, price: newPrice(shop, price, member) })
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      wrong.push(`Line ${line}: ${error.message}`)
    }
  }
  if (wrong.length > 0)
    throw refused(`${path} is not taken, and no price changes.\n${wrong.slice(0, 20).join('\n')}`)
  return priceAll(shop, [...priced.values()])
}

async function rowsOf(path: string): Promise<Record<string, string>[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new BadSetting(`${path} cannot be read.`)
  })
  let rows: Record<string, string>[]
  try {
    rows = parse(text, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      // Spreadsheets in many European locales write semicolons.
      delimiter: [',', ';', '\t'],
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
    })
  } catch (error) {
    throw new BadSetting(
      `${path} is not a CSV file: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (!rows[0] || !('slug' in rows[0]) || !('price' in rows[0]))
    throw new BadSetting(
      `${path} needs the columns slug and price, and may have format and member_price: npm run --silent titles -- list --csv > prices.csv writes one.`,
    )
  return rows
}

const SHOWN = 40

function priceAll(shop: Shop, all: readonly Priced[]): Change {
  const changed = all.filter(({ title, price }) => !isPrice(title, price))
  if (changed.length === 0) throw refused('Every one of these titles has that price already.')
  const lines = changed.map(
    ({ title, price }) =>
      `${title.title} (${FORMAT_WORDS[title.format]}): ${title.missing.includes('price') ? 'no price' : formatPounds(title.priceMinor)} → ${formatPounds(price.priceMinor)}${price.memberPriceMinor === null ? '' : `, ${formatPounds(price.memberPriceMinor)} for members`}`,
  )
  return {
    about: 'prices',
    what: `${counted(changed.length, 'price')}: ${changed
      .slice(0, 20)
      .map(({ title }) => title.slug)
      .join(', ')}${changed.length > 20 ? ' and more' : ''}`,
    will: [
      ...lines.slice(0, SHOWN),
      ...(lines.length > SHOWN ? [`… and ${lines.length - SHOWN} more.`] : []),
      `${counted(changed.length, 'price')} would change, ${all.length - changed.length} stay. No import changes them back.`,
    ],
    carryOut: async () => {
      const count = await setPrices(
        shop.db,
        changed.map(({ title, price }) => ({ title, price })),
      )
      return { lines: [`${counted(count, 'price is', 'prices are')} new.`], json: { changed: count } }
    },
  }
}

const isPrice = (title: OwnersTitle, price: NewPrice): boolean =>
  !title.missing.includes('price') &&
  title.setByOwner.includes('price') &&
  title.priceMinor === price.priceMinor &&
  title.memberPriceMinor === price.memberPriceMinor
