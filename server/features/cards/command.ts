import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BadSetting, readConfig } from '../../config.ts'
import { isWholeCard, readTyped } from '../../codes/cards.ts'
import { DatabaseInUse } from '../../db/errors.ts'
import { joinDatabase } from '../../db/open.ts'
import { Refusal } from '../../refusals.ts'
import {
  makeCards,
  type Made,
  type Maker,
  type PrintedCard,
  replaceCard,
  voidBatch,
  voidCard,
} from './make.ts'
import { type Layout, openTable, type Press, printCards } from './print.ts'
import { selectAnyByNumber, selectBatches } from './rows.ts'

const USAGE = `Usage: npm run cards -- make --title SLUG --count N [--outlet SLUG] [--price POUNDS] [--a4] [--to FOLDER]
       npm run cards -- list
       npm run cards -- find NUMBER
       npm run cards -- void NUMBER | --batch BATCH
       npm run cards -- replace NUMBER [--a4] [--to FOLDER]

make     makes cards of an audiobook and writes them to FOLDER, as a table (CSV) and for a printer (PDF). The codes
         are in these files alone and are never shown again: keep them as you would keep money
void     makes what was not sold yet worthless: one card, or what is left of a batch
replace  gives the sale of a card that cannot be read to a new one, and makes the old one worthless

  --outlet  the one bookshop that may sell them; without it every bookshop may
  --price   what a card costs over the counter, like 12.00; without it, what the title costs today
  --a4      ten cards on a sheet, for a desk; without it a card on each page, with bleed and crop marks`

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isTold = error instanceof BadSetting || error instanceof DatabaseInUse || error instanceof Refusal
  if (!isTold) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      title: { type: 'string' },
      count: { type: 'string' },
      outlet: { type: 'string' },
      price: { type: 'string' },
      batch: { type: 'string' },
      to: { type: 'string' },
      a4: { type: 'boolean' },
    },
  })
  const [verb, number] = positionals
  const config = readConfig(process.env, [])
  const { databaseUrl, dataDir } = config
  const database = await joinDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}), log: console })
  const maker: Maker = { db: database.db, config, now: () => new Date() }
  const press: Press = { publicUrl: config.publicUrl, mediaDir: join(dataDir, 'media') }
  const folder = resolve(values.to ?? '.')
  const layout: Layout = values.a4 ? 'a4' : 'printer'
  try {
    if (verb === 'make' && values.title !== undefined) {
      const count = Number(values.count)
      if (!Number.isInteger(count) || count < 1 || count > 1_000_000)
        throw new BadSetting('--count is how many, from 1 to 1000000.')
      const priceMinor = values.price === undefined ? undefined : penceIn(values.price)
      await make(maker, press, {
        slug: values.title,
        count,
        ...(values.outlet === undefined ? {} : { outletSlug: values.outlet }),
        ...(priceMinor === undefined ? {} : { priceMinor }),
        folder,
        layout,
      })
    } else if (verb === 'list') await list(maker)
    else if (verb === 'find' && number !== undefined) await find(maker, number)
    else if (verb === 'void' && number !== undefined) {
      await voidCard(maker, number)
      console.log(`${number} is void.`)
    } else if (verb === 'void' && /^\d+$/.test(values.batch ?? ''))
      console.log(`${await voidBatch(maker, Number(values.batch))} cards of batch ${values.batch} are void.`)
    else if (verb === 'replace' && number !== undefined) {
      const { card, made } = await replaceCard(maker, number)
      const name = `card-${card.number}`
      await write(press, { made, cards: [card], layout }, join(folder, name))
      console.log(`${number} is void. ${card.number} has its sale; it is in ${name}.csv and ${name}.pdf.`)
    } else {
      console.error(USAGE)
      return 1
    }
  } finally {
    await database.close()
  }
  return 0
}

interface Making {
  readonly slug: string
  readonly count: number
  readonly outletSlug?: string
  readonly priceMinor?: number
  readonly folder: string
  readonly layout: Layout
}

async function make(maker: Maker, press: Press, { folder, layout, ...wish }: Making): Promise<void> {
  const printed: PrintedCard[] = []
  const made = await makeCards(maker, wish, async (cards) => {
    printed.push(...cards)
  })
  const path = join(folder, `cards-${made.batch}-${made.slug}`)
  try {
    await write(press, { made, cards: printed, layout }, path)
  } catch (error) {
    // Nobody has their codes: they would only be counted.
    await voidBatch(maker, made.batch)
    await Promise.all([rm(`${path}.csv`, { force: true }), rm(`${path}.pdf`, { force: true })])
    throw error
  }
  console.log(
    `Batch ${made.batch}: ${printed.length} cards of ${made.title}, £${(made.priceMinor / 100).toFixed(2)} each.`,
  )
  console.log(`${path}.csv and ${path}.pdf hold their codes, which are shown nowhere else.`)
}

async function write(
  press: Press,
  { made, cards, layout }: { made: Made; cards: readonly PrintedCard[]; layout: Layout },
  path: string,
): Promise<void> {
  const table = await openTable(`${path}.csv`, press)
  for (let from = 0; from < cards.length; from += 1000) await table.add(made, cards.slice(from, from + 1000))
  await table.close()
  await printCards(`${path}.pdf`, {
    made,
    cards,
    layout,
    press,
    onProgress: (printed) => {
      if (printed % 10_000 === 0) console.log(`${printed} of ${cards.length} printed`)
    },
  })
}

async function list({ db }: Maker): Promise<void> {
  for (const {
    id,
    title,
    outlet,
    priceMinor,
    madeAt,
    made,
    activated,
    redeemed,
    voided,
  } of await selectBatches(db))
    console.log(
      `${id}  ${madeAt.toISOString().slice(0, 10)}  ${title}, £${(priceMinor / 100).toFixed(2)}${outlet ? `, for ${outlet}` : ''}: ` +
        `${made} made, ${activated} sold, ${redeemed} redeemed, ${voided} void`,
    )
}

async function find({ db }: Maker, typed: string): Promise<void> {
  const read = readTyped(typed)
  const found = await selectAnyByNumber(db, read)
  if (!found)
    throw new BadSetting(
      isWholeCard(read)
        ? `There is no card ${typed}.`
        : `${typed} is no card’s number: a figure is wrong, or one is missing.`,
    )
  const { card, title, activation, outletName } = found
  const day = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')
  console.log(`${title}, batch ${card.batchId}`)
  if (activation) console.log(`sold by ${outletName} on ${day(activation.activatedAt)}`)
  if (card.redeemedAt) console.log(`redeemed on ${day(card.redeemedAt)}`)
  if (card.voidedAt)
    console.log(`void since ${day(card.voidedAt)}${card.replacedBy ? ', replaced by another' : ''}`)
}

function penceIn(pounds: string): number {
  if (!/^\d{1,4}(?:\.\d{1,2})?$/.test(pounds) || Number(pounds) === 0)
    throw new BadSetting(`--price is an amount in pounds, like 12.00, not “${pounds}”.`)
  return Math.round(Number(pounds) * 100)
}
