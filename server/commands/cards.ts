import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { type Group, group, pence, wholeNumber } from './command-line.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { formatPounds } from '../format.ts'
import type { Shop } from '../shop.ts'
import { type Layout, makeBatch, type Press, writeCard } from '../features/cards/print.ts'
import {
  replaceCard,
  voidBatch,
  voidCard,
  describeBatches,
  describeCard,
} from '../features/cards/create-cards.ts'

export const cardsCommand: Group = ({ print }) =>
  group('cards', [
    printed('make')
      .description(
        'Creates cards for an audiobook and writes them to a folder, as a table (CSV) and for a printer (PDF). The codes are only in these files and are never shown again: keep the files like money',
      )
      .requiredOption('--title <slug>', 'The audiobook')
      .requiredOption('--count <number>', 'How many cards', wholeNumber('--count', 1, 1_000_000))
      .option('--outlet <slug>', 'Only this bookshop may sell them; by default all may')
      .option(
        '--price <pounds>',
        'The price at the counter, like 12.00; by default today’s price of the title',
        pence('--price', { example: '12.00' }),
      )
      .action((options) => print((shop) => make(shop, options))),
    new Command('list')
      .description('Lists the batches, with the numbers of sold, redeemed and void cards')
      .action(() => print(({ db }) => describeBatches(db))),
    new Command('find')
      .description('Shows the state of a card, but not its owner')
      .argument('<number...>', NUMBER)
      .action((number) => print(({ db }) => describeCard(db, number.join(' ')))),
    new Command('void')
      .description('Invalidates unsold cards: one card, or the rest of a batch')
      .argument('[number...]', NUMBER)
      .option('--batch <number>', 'The batch', wholeNumber('--batch', 1, 999_999_999))
      .action((number, { batch }, command) => {
        if ((number.length === 0) === (batch === undefined))
          command.error('error: name the number of one card, or a --batch')
        return print((shop) =>
          batch === undefined ? voidOne(shop, number.join(' ')) : voidRest(shop, batch),
        )
      }),
    printed('replace')
      .description('Replaces a sold card that can’t be read by a new one, and invalidates the old one')
      .argument('<number...>', NUMBER)
      .action((number, options) => print((shop) => replace(shop, number.join(' '), options))),
  ])

const NUMBER = 'The number on the card, also in its three groups'

const printed = (name: string) =>
  new Command(name)
    .option(
      '--a4',
      'Ten cards per sheet, for a desk printer; by default one per page, with bleed and crop marks',
    )
    .option('--to <folder>', 'The folder for the files', '.')

interface Paper {
  readonly to: string
  readonly a4?: true | undefined
}

interface Batch extends Paper {
  readonly title: string
  readonly count: number
  readonly outlet?: string | undefined
  readonly price?: number | undefined
}

const pressOf = ({ config }: Shop): Press => ({
  publicUrl: config.publicUrl,
  media: openMedia(config),
  name: config.details.name,
})

const layoutOf = ({ a4 }: Paper): Layout => (a4 ? 'a4' : 'printer')

async function make(shop: Shop, { title, count, outlet, price, ...paper }: Batch): Promise<string[]> {
  const folder = await preparedFolder(paper)
  const press = pressOf(shop)
  const batch = {
    ...{ slug: title, count, folder, layout: layoutOf(paper) },
    ...(outlet === undefined ? {} : { outletSlug: outlet }),
    ...(price === undefined ? {} : { priceMinor: price }),
  }
  const { made, path } = await makeBatch(shop, press, batch, (done) => {
    if (done % 10_000 === 0) console.log(`${done} of ${count} printed`)
  })
  return [
    `Batch ${made.batch}: ${count} cards of ${made.title}, ${formatPounds(made.priceMinor)} each.`,
    `${path}.csv and ${path}.pdf hold their codes, which are shown nowhere else.`,
    ...warningOfAddress(press),
  ]
}

async function voidOne(shop: Shop, number: string): Promise<string[]> {
  await voidCard(shop, number)
  return [`${number} is void.`]
}

const voidRest = async (shop: Shop, batch: number): Promise<string[]> => [
  `${await voidBatch(shop, batch)} cards of batch ${batch} are void.`,
]

async function replace(shop: Shop, number: string, paper: Paper): Promise<string[]> {
  const folder = await preparedFolder(paper)
  const press = pressOf(shop)
  const { card, made } = await replaceCard(shop, number)
  const path = join(folder, `card-${card.number}`)
  try {
    await writeCard(press, { made, card, layout: layoutOf(paper) }, path)
  } catch (error) {
    // The new card has the sale by now, but its code was not printed.
    console.error(`${card.number} has the sale and could not be written. Replace it in its turn.`)
    throw error
  }
  return [
    `${number} is void. ${card.number} has its sale; it is in ${path}.csv and ${path}.pdf.`,
    ...warningOfAddress(press),
  ]
}

/** Before any card is created, so that an unusable folder costs no cards. */
async function preparedFolder({ to }: Paper): Promise<string> {
  const folder = resolve(to)
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new BadSetting(`Nothing can be written to ${folder}: ${error.message}`)
  })
  return folder
}

const warningOfAddress = ({ publicUrl }: Press): string[] =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(publicUrl).hostname)
    ? [
        `Their QR codes lead to ${publicUrl}, which only this machine knows. Set PUBLIC_URL before you print for a bookshop.`,
      ]
    : []
