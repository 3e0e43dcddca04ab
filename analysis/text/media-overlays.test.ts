import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeTimes } from '#contract/calculations/in-step.ts'
import { epub } from '#importer/fixtures/owners-folder.ts'
import { alignments } from '#server/db/schema/in-step.ts'
import { anEBook } from '#tests/support/builders.ts'
import { aSoundingBook, aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { analyseTitle } from '../analyse-title.ts'
import { selectTitleToAnalyse } from '../queries.ts'
import { readEpubText } from './epub-text.ts'
import { suppliedTimes } from './media-overlays.ts'

let shop: TestShop
let folder: string
beforeAll(async () => {
  shop = await testShop()
  folder = await mkdtemp(join(tmpdir(), 'murmur-overlays-'))
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

const par = (target: string, begin: string, end: string) =>
  `<par><text src="../text/one.xhtml#${target}"/><audio src="../audio/1.mp3" clipBegin="${begin}" clipEnd="${end}"/></par>`

/** `overlay` is the SMIL of its one file. */
const withOverlay = (overlay: string) =>
  epub({
    files: {
      'OEBPS/book.opf': `<package version="3.0"><metadata><language>en</language></metadata><manifest>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml" media-overlay="smil"/>
<item id="smil" href="smil/one.smil" media-type="application/smil+xml"/></manifest>
<spine><itemref idref="one"/></spine></package>`,
      'OEBPS/text/one.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>
<p><span id="s1">The tide was out.</span> <span id="s2">Nobody had counted the pears. She</span>
<span id="s3">counted them.</span></p><p id="p2">One. Two three.</p></body></html>`,
      'OEBPS/smil/one.smil': `<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body><seq>${overlay}</seq></body></smil>`,
    },
  })

const OVERLAY = [
  par('s1', '0:00:00.30', '1.7s'),
  par('s2', '2s', '0:04.3'),
  par('s3', '4300ms', '5.9s'),
  par('p2', '6', '8'),
].join('')

async function timesOf(bytes: Buffer, seconds: readonly number[]) {
  const path = join(folder, 'book.epub')
  await writeFile(path, bytes)
  const chapters = seconds.map((each, index) => ({ number: index + 1, title: '', durationMs: each * 1000 }))
  return suppliedTimes(await readEpubText(path), chapters)
}

test('in step: media overlays of an EPUB give the times; sentences that share a clip share its time', async () => {
  const found = (await timesOf(await withOverlay(OVERLAY), [9]))!.get(1)!
  expect(
    found.placed.map((line) => [found.sentences[line.id]!.words, line.start, line.end, line.isCertain]),
  ).toEqual([
    ['The tide was out.', 30, 170, true],
    ['Nobody had counted the pears.', 200, 446, true],
    ['She counted them.', 446, 590, false],
    ['One.', 600, 657, true],
    ['Two three.', 657, 800, false],
  ])
})

test('in step: media overlays of another recording, and damaged ones, are not used', async () => {
  const bytes = await withOverlay(OVERLAY)
  expect(await timesOf(bytes, [60])).toBeUndefined()
  expect(await timesOf(bytes, [5])).toBeUndefined()
  expect(await timesOf(bytes, [9, 9])).toBeUndefined()
  expect(await timesOf(await withOverlay(par('s1', 'soon', 'later')), [9])).toBeUndefined()
  expect(await timesOf(await withOverlay('<par><text'), [9])).toBeUndefined()
  expect(await timesOf(await withOverlay(par('100%', '1', '8')), [9])).toBeUndefined()
  expect(await timesOf(await epub(), [9])).toBeUndefined()
})

test('in step: times of the owner are used before any are searched, even for sound that cannot be decoded', async () => {
  const fileId = await aStoredFile(
    shop,
    await withOverlay(par('s1', '0.1', '0.5') + par('s2', '0.6', '0.9')),
    'epub',
  )
  const eBook = await anEBook(shop, { slug: 'low-tide', title: 'Low tide', fileId })
  await aSoundingBook(shop, [{ title: 'One', bytes: Buffer.from('not a sound '.repeat(99)) }], {
    slug: 'low-tide',
    title: 'Low tide',
    counterpartId: eBook.id,
  })
  const { db, media, config } = shop
  await analyseTitle(
    { db, media, dataDir: config.dataDir, priority: () => 0 },
    (await selectTitleToAnalyse(db, 'low-tide'))!,
  )
  const [row] = await db.select().from(alignments)
  expect(row).toMatchObject({ source: 'owner', report: { sentences: 3, placed: 2 } })
  expect(decodeTimes(row!.times)[0]).toEqual({ start: 10, end: 50, isCertain: true })
})
