import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { command, typed, withDatabase } from './run-command.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { formatPounds } from '../format.ts'
import { type CardsCommand, read } from './cards-arguments.ts'
import {
  type BatchRequest,
  makeBatch,
  type Layout,
  openTable,
  type Press,
  printCards,
} from '../features/cards/print.ts'
import {
  type Made,
  type Maker,
  type PrintedCard,
  replaceCard,
  voidBatch,
  voidCard,
  describeBatches,
  describeCard,
} from '../features/cards/create-cards.ts'

await command(async () => {
  const asked = typed(read)
  await withDatabase(async ({ db, config }) => {
    const maker: Maker = { db, config, now: () => new Date() }
    const press: Press = {
      publicUrl: config.publicUrl,
      media: openMedia(config),
      name: config.details.name,
    }
    if (asked.verb === 'make') return make(maker, press, asked)
    if (asked.verb === 'replace') return replace(maker, press, asked)
    if (asked.verb === 'void') {
      await voidCard(maker, asked.number)
      return console.log(`${asked.number} is void.`)
    }
    if (asked.verb === 'voidBatch')
      return console.log(`${await voidBatch(maker, asked.batch)} cards of batch ${asked.batch} are void.`)
    const lines = asked.verb === 'list' ? describeBatches(db) : describeCard(db, asked.number)
    for (const line of await lines) console.log(line)
  })
})

async function make(maker: Maker, press: Press, making: BatchRequest): Promise<void> {
  await prepare(making.folder)
  const { made, path } = await makeBatch(maker, press, making, (printed) => {
    if (printed % 10_000 === 0) console.log(`${printed} of ${making.count} printed`)
  })
  console.log(
    `Batch ${made.batch}: ${making.count} cards of ${made.title}, ${formatPounds(made.priceMinor)} each.`,
  )
  console.log(`${path}.csv and ${path}.pdf hold their codes, which are shown nowhere else.`)
  warnOfAddress(press)
}

async function replace(
  maker: Maker,
  press: Press,
  { number, folder, layout }: Extract<CardsCommand, { verb: 'replace' }>,
): Promise<void> {
  await prepare(folder)
  const { card, made } = await replaceCard(maker, number)
  const path = join(folder, `card-${card.number}`)
  try {
    await write(press, { made, card, layout }, path)
  } catch (error) {
    // The new card has the sale by now, but its code was not printed.
    console.error(`${card.number} has the sale and could not be written. Replace it in its turn.`)
    throw error
  }
  console.log(`${number} is void. ${card.number} has its sale; it is in ${path}.csv and ${path}.pdf.`)
  warnOfAddress(press)
}

/** Creates the folder before any card is created, so that an unusable folder costs no cards. */
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
  { made, card, layout }: { made: Made; card: PrintedCard; layout: Layout },
  path: string,
): Promise<void> {
  try {
    const table = await openTable(`${path}.csv`, press)
    await table.add(made, [card])
    await table.close()
    await printCards(`${path}.pdf`, { made, cards: [card], layout, press })
  } catch (error) {
    await Promise.all([rm(`${path}.csv`, { force: true }), rm(`${path}.pdf`, { force: true })])
    throw error
  }
}
