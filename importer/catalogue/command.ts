import { printable } from '../hidden-characters.ts'
import { stat } from 'node:fs/promises'
import { withDatabase } from '#server/commands/open-shop.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import type { Database } from '#server/db/open.ts'
import type { MediaStore } from '#server/integrations/media/media-store.ts'
import { openMedia } from '#server/integrations/media/open-media.ts'
import type { Format } from '../found.ts'
import { oneAtATime, sayWaiting } from '../one-at-a-time.ts'
import { importPictures, type PictureReport } from './pictures.ts'
import { openReport, Tally } from './report.ts'
import { importCatalogue } from './run.ts'
import { NO_PRICE } from './words.ts'

export interface CatalogueCommand {
  readonly folder: string
  readonly dryRun: boolean
  readonly format?: Format
  readonly priceMinor?: number
  readonly report?: string
  readonly pictures?: string
}

/** @returns the exit code */
export async function catalogueCommand(asked: CatalogueCommand): Promise<number> {
  if (asked.folder !== '' && !(await stat(asked.folder).catch(() => undefined))?.isFile())
    throw new BadSetting(
      `${asked.folder} is not a file. Beside --pictures, name a catalogue or nothing at all.`,
    )
  if (asked.pictures !== undefined && !(await stat(asked.pictures).catch(() => undefined))?.isDirectory())
    throw new BadSetting(`${asked.pictures} is not a folder.`)
  return withDatabase(({ db, config }) => {
    const bring = async () => {
      const catalogue =
        asked.folder === '' || (await bringCatalogue(db, config.details.terms.memberDiscount, asked))
      const pictures =
        asked.pictures === undefined ||
        (await bringPictures(db, openMedia(config), asked.pictures, asked.dryRun))
      return catalogue && pictures ? 0 : 1
    }
    return asked.dryRun ? bring() : oneAtATime(db, sayWaiting, bring)
  })
}

async function bringCatalogue(
  db: Database,
  memberDiscount: number,
  asked: CatalogueCommand,
): Promise<boolean> {
  const { folder: file, dryRun, format, priceMinor } = asked
  const tally = new Tally()
  const report = asked.report === undefined ? undefined : await openReport(asked.report)
  const started = Date.now()
  let told = started
  const importing = importCatalogue(
    {
      db,
      dryRun,
      memberDiscount,
      now: () => new Date(),
      ...(format ? { format } : {}),
      ...(priceMinor === undefined ? {} : { priceMinor }),
      onFile: (note) => console.log(printable(`note: ${note}`)),
      onRow: async (row) => {
        tally.add(row)
        await report?.add(row)
        if (Date.now() - told < 10_000) return
        told = Date.now()
        console.log(`… ${tally.rows.toLocaleString('en-GB')} rows`)
      },
    },
    file,
  )
  const { broken } = await closing(importing, report)
  for (const line of tally.lines(dryRun)) console.log(printable(line))
  const unpriced = tally.notes.get(NO_PRICE[0]) ?? 0
  if (unpriced > 0) console.log(withoutPrice(unpriced))
  const seconds = Math.max(0.1, (Date.now() - started) / 1000)
  console.log(
    `${tally.rows.toLocaleString('en-GB')} ${tally.rows === 1 ? 'row' : 'rows'} in ${seconds.toFixed(1)} s.`,
  )
  if (broken === undefined && tally.rows === 0) console.error('The file holds no titles.')
  if (broken !== undefined) console.error(`${broken} ${beforeThat(tally.rows, dryRun)}`)
  return broken === undefined && tally.rows > 0 && tally.counts.refused === 0
}

const withoutPrice = (titles: number): string =>
  `${titles.toLocaleString('en-GB')} without a price: they are listed last, cannot be bought, and search leaves them out. ` +
  '--price 9.99 gives them one, --price 0.00 makes them free.'

function beforeThat(rows: number, dryRun: boolean): string {
  if (rows === 0) return 'Nothing before that could be read.'
  const before =
    rows === 1 ? 'The row before that was' : `The ${rows.toLocaleString('en-GB')} rows before that were`
  return `${before} ${dryRun ? 'checked' : 'brought in'}, as reported above.`
}

async function bringPictures(
  db: Database,
  media: MediaStore,
  folder: string,
  dryRun: boolean,
): Promise<boolean> {
  const counts = { done: 0, same: 0, failed: 0, waiting: 0, unused: 0 }
  const print = ({ name, outcome, slug, reason }: PictureReport) => {
    counts[outcome]++
    if (outcome !== 'same')
      console.log(
        printable(`${outcome.padEnd(8)} ${name}${slug ? ` → ${slug}` : ''}${reason ? `: ${reason}` : ''}`),
      )
  }
  await importPictures({ db, media, dryRun, now: () => new Date(), onPicture: print }, folder)
  const figures = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`)
  console.log(`Pictures: ${figures.join(', ')}.${dryRun ? ' Dry run: nothing was written.' : ''}`)
  return counts.failed === 0
}

async function closing<T>(work: Promise<T>, report: { close(): Promise<void> } | undefined): Promise<T> {
  try {
    return await work
  } finally {
    await report?.close()
  }
}
