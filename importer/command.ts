import { Command, Option } from '@commander-js/extra-typings'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Group, pence } from '#server/commands/command-line.ts'
import { withDatabase } from '#server/commands/open-shop.ts'
import { openMedia } from '#server/integrations/media/open-media.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import { catalogueCommand } from './catalogue/command.ts'
import { importContent, importVocabularies, isContentFolder } from './content/run.ts'
import type { Format } from './found.ts'
import { oneAtATime, sayWaiting } from './one-at-a-time.ts'
import { placesCommand } from './places/command.ts'
import { findTitles, type FoundTitles } from './readers/find-titles.ts'
import { reportLines, summaryOf, type TitleReport, importTitles } from './run.ts'

export const importCommand: Group = ({ run }) => {
  const places = new Command('places')
    .description(
      'Imports listening positions from Audiobookshelf; docs/operations/import.md describes the file',
    )
    .argument('<file>')
    .option('--dry-run', DRY_RUN)
    .action((file, _options, command) =>
      run(() => placesCommand(resolve(file), command.optsWithGlobals().dryRun === true)),
    )
  return new Command('import')
    .description(ABOUT)
    .argument('[source]', 'A folder or a catalogue')
    .option('--dry-run', DRY_RUN)
    .option('--moved', 'The folders of existing titles have moved here')
    .addOption(
      new Option('--format <format>', 'The format of catalogue rows that don’t name one').choices([
        'audio_book',
        'e_book',
      ] as const),
    )
    .option(
      '--price <pounds>',
      'The price of titles that have none in their folder or row or in the shop, like 9.99; 0.00 is free. Without it they are listed last, and neither sold nor found by search',
      pence('--price', { example: '9.99 or 0.00', least: 0 }),
    )
    .option('--report <file>', 'Writes the result of each row to this file, as CSV')
    .option('--pictures <folder>', 'Imports the pictures of this folder, after the catalogue or alone')
    .action((source, options, command) => {
      const { dryRun = false, moved = false, format, price, report, pictures } = options
      if (source === undefined && pictures === undefined)
        command.error('error: name a folder, a catalogue, or --pictures')
      const asked = {
        folder: source === undefined ? '' : resolve(source),
        ...{ dryRun, moved },
        ...(format ? { format } : {}),
        ...(price === undefined ? {} : { priceMinor: price }),
        ...(report ? { report: resolve(report) } : {}),
        ...(pictures ? { pictures: resolve(pictures) } : {}),
      }
      return run(() => importAll(asked))
    })
    .addCommand(places)
}

const DRY_RUN = 'Prints what would happen and writes nothing'

const ABOUT = `Imports the books of a folder, also while the shop runs: one folder per title, at any depth, with MP3 files, an M4B file, an EPUB file, a cover and a book.json, all optional. A second import applies only what has changed, and never overwrites what you set in the shop itself (npm run titles). Libraries of Audiobookshelf and Calibre need no changes.

A folder of content is imported in the same way: authors/, editorial/, pages/ and faq/ with Markdown files, menus.json, home.json, membership.json, promo.json, settings.json and discounts.json, publishers.json, categories.json, styles.json, locations.json, people.json, nationalities.json and series.json, and titles/ with the folders of books.

A catalogue is a CSV file or an ONIX 3 message (.xml), optionally compressed with gzip. Import its pictures afterwards from a folder; each file is named by the ISBN, by the title's slug or as in the catalogue.`

async function importAll(asked: Asked): Promise<number> {
  if (asked.pictures !== undefined || (await stat(asked.folder).catch(() => undefined))?.isFile())
    return catalogueCommand(asked)
  const { titles, loose, links, root, content } = await contentsOf(asked.folder)
  const reports: TitleReport[] = []
  const print = (report: TitleReport) => {
    reports.push(report)
    for (const line of reportLines(report)) console.log(line)
  }
  for (const name of loose)
    print({
      folder: name,
      outcome: 'refused',
      details: ['lies beside the folders of the titles; put it into a folder of its own.'],
      warnings: [],
    })
  for (const name of links)
    print({
      folder: name,
      outcome: 'refused',
      details: [
        'is a link that leads out of the folder; put what it leads to there, or import it by itself.',
      ],
      warnings: [],
    })
  if (titles.length > 0 || content)
    await withDatabase(async ({ db, config }) => {
      const importing = {
        db,
        media: openMedia(config),
        now: () => new Date(),
        root,
        moved: asked.moved,
        demo: config.demo,
        memberDiscount: config.details.terms.memberDiscount,
        dryRun: asked.dryRun,
        ...(asked.priceMinor === undefined ? {} : { priceMinor: asked.priceMinor }),
        onTitle: print,
      }
      const bring = async () => {
        if (content) await importVocabularies(importing, asked.folder)
        if (titles.length > 0) await importTitles(importing, titles)
        const comingBooks = new Set(
          reports.flatMap(({ slug, outcome }) =>
            slug && outcome !== 'refused' && asked.dryRun ? [slug] : [],
          ),
        )
        if (content) await importContent({ ...importing, comingBooks }, asked.folder)
      }
      await (asked.dryRun ? bring() : oneAtATime(db, sayWaiting, bring))
    })
  if (reports.length === 0)
    console.error(`${asked.folder} holds no folder with a title in it, and no content.`)
  console.log(summaryOf(reports, asked.dryRun))
  return reports.length === 0 || reports.some(({ outcome }) => outcome === 'refused') ? 1 : 0
}

interface Asked {
  readonly folder: string
  readonly dryRun: boolean
  readonly moved: boolean
  readonly format?: Format
  readonly priceMinor?: number
  readonly report?: string
  readonly pictures?: string
}

/** A content folder has texts, menus or panels, or keeps its titles in a `titles` folder. */
async function contentsOf(folder: string): Promise<FoundTitles & { root: string; content: boolean }> {
  if (!(await isFolder(folder))) throw new BadSetting(`${folder} is not a folder.`)
  const content = isContentFolder(folder)
  const root = content ? join(folder, 'titles') : folder
  const found = (await isFolder(root)) ? await findTitles(root) : { titles: [], loose: [], links: [] }
  // A title that is imported on its own has the same origin as in an import of its parent folder.
  return { ...found, root: found.titles[0] === folder ? dirname(folder) : root, content }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}
