import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BadSetting, readConfig } from '../../config.ts'
import { DatabaseInUse } from '../../db/errors.ts'
import { joinDatabase } from '../../db/open.ts'
import { Refusal } from '../../refusals.ts'
import { type Asked, type Making, read } from './asked.ts'
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
import { tellBatches, tellCard } from './told.ts'

try {
  const asked = read(process.argv.slice(2))
  if (typeof asked === 'string') throw new BadSetting(asked)
  await main(asked)
} catch (error) {
  const isTold = error instanceof BadSetting || error instanceof DatabaseInUse || error instanceof Refusal
  if (!isTold) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(asked: Asked): Promise<void> {
  const config = readConfig(process.env, [])
  const { databaseUrl, dataDir } = config
  const database = await joinDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}), log: console })
  const maker: Maker = { db: database.db, config, now: () => new Date() }
  const press: Press = { publicUrl: config.publicUrl, mediaDir: join(dataDir, 'media') }
  try {
    if (asked.verb === 'make') await make(maker, press, asked)
    else if (asked.verb === 'replace') await replace(maker, press, asked)
    else if (asked.verb === 'void') {
      await voidCard(maker, asked.number)
      console.log(`${asked.number} is void.`)
    } else if (asked.verb === 'voidBatch')
      console.log(`${await voidBatch(maker, asked.batch)} cards of batch ${asked.batch} are void.`)
    else {
      const lines = asked.verb === 'list' ? tellBatches(maker.db) : tellCard(maker.db, asked.number)
      for (const line of await lines) console.log(line)
    }
  } finally {
    await database.close()
  }
}

async function make(maker: Maker, press: Press, { folder, layout, ...wish }: Making): Promise<void> {
  await prepare(folder)
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
    throw error
  }
  console.log(
    `Batch ${made.batch}: ${printed.length} cards of ${made.title}, £${(made.priceMinor / 100).toFixed(2)} each.`,
  )
  console.log(`${path}.csv and ${path}.pdf hold their codes, which are shown nowhere else.`)
  warnOfAddress(press)
}

async function replace(
  maker: Maker,
  press: Press,
  { number, folder, layout }: Extract<Asked, { verb: 'replace' }>,
): Promise<void> {
  await prepare(folder)
  const { card, made } = await replaceCard(maker, number)
  const path = join(folder, `card-${card.number}`)
  try {
    await write(press, { made, cards: [card], layout }, path)
  } catch (error) {
    // It has the sale by now, and nobody has its code.
    console.error(`${card.number} has the sale and could not be written. Replace it in its turn.`)
    throw error
  }
  console.log(`${number} is void. ${card.number} has its sale; it is in ${path}.csv and ${path}.pdf.`)
  warnOfAddress(press)
}

/** Before anything is made: a folder that cannot be had costs no card. */
async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new BadSetting(`Nothing can be written to ${folder}: ${error.message}`)
  })
}

function warnOfAddress({ publicUrl }: Press): void {
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(publicUrl).hostname))
    console.log(
      `Their QR codes lead to ${publicUrl}, which only this machine knows. Set PUBLIC_URL before you print for a bookshop.`,
    )
}

async function write(
  press: Press,
  { made, cards, layout }: { made: Made; cards: readonly PrintedCard[]; layout: Layout },
  path: string,
): Promise<void> {
  try {
    const table = await openTable(`${path}.csv`, press)
    for (let from = 0; from < cards.length; from += 1000)
      await table.add(made, cards.slice(from, from + 1000))
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
  } catch (error) {
    await Promise.all([rm(`${path}.csv`, { force: true }), rm(`${path}.pdf`, { force: true })])
    throw error
  }
}
