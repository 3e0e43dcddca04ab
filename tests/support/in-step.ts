import { createHash, randomUUID } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { eq, inArray } from 'drizzle-orm'
import { encodeStretches, encodeTimes } from '#contract/calculations/in-step.ts'
import { alignments, soundAnalyses } from '#server/db/schema/in-step.ts'
import { books, chapters } from '#server/db/schema/catalogue.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import { epub } from '#importer/fixtures/owners-folder.ts'
import { anAudioBook, anEBook, type TestBook } from './builders.ts'
import { aStoredFile } from './catalogue-builders.ts'
import type { TestShop } from './shop.ts'

/** The second one's place is an estimate. */
export const SENTENCES = [
  'The tide was out.',
  'Nobody had counted <the pears> & apples.',
  'She counted them.',
]
const TIMES = [
  { start: 30, end: 170, isCertain: true },
  { start: 200, end: 430, isCertain: false },
  { start: 450, end: 590, isCertain: true },
]
export const SILENCES = [{ start: 0, end: 30 }]

/** An audiobook with one chapter, a sample, and an e-book of the same work; chapter and sample are analysed. */
export async function anInStepTitle(shop: TestShop): Promise<{ audioBook: TestBook; eBook: TestBook }> {
  const name = `in-step-${randomUUID().slice(0, 8)}`
  const text = `<html xmlns="http://www.w3.org/1999/xhtml"><head/><body><p>${SENTENCES.map(escaped).join(' ')}</p></body></html>`
  const textId = await aStoredFile(
    shop,
    await epub({ title: name, files: { 'OEBPS/text/one.xhtml': text } }),
    'epub',
  )
  const sampleId = createHash('sha256').update(`${name} sample`).digest('hex')
  await shop.db.insert(mediaFiles).values({ sha256: sampleId, extension: 'mp3', bytes: 1000 })
  const eBook = await anEBook(shop, { slug: name, title: 'Low Tide', fileId: textId })
  const audioBook = await anAudioBook(shop, {
    slug: name,
    title: 'Low Tide',
    counterpartId: eBook.id,
    sampleId,
    chapters: [{ title: 'The orchard', seconds: 6 }],
  })
  await shop.db.update(books).set({ counterpartId: audioBook.id }).where(eq(books.id, eBook.id))
  await shop.db
    .update(books)
    .set({ inStep: true })
    .where(inArray(books.id, [audioBook.id, eBook.id]))
  const [chapter] = await shop.db.select().from(chapters).where(eq(chapters.bookId, audioBook.id))
  await shop.media.put(mediaPath({ sha256: chapter!.soundId, extension: 'mp3' }), Buffer.from(name))
  for (const soundId of [chapter!.soundId, sampleId]) {
    await shop.db.insert(soundAnalyses).values({
      soundId,
      version: 1,
      durationMs: 6000,
      loudness: -19.5,
      truePeak: -3,
      silences: encodeStretches(SILENCES),
    })
    await shop.db.insert(alignments).values({
      soundId,
      textId,
      version: 1,
      source: 'aligned',
      times: encodeTimes(TIMES),
      words: deflateRawSync(
        SENTENCES.map((words, index) => {
          const from = SENTENCES.slice(0, index).join(' ').length + Math.min(index, 1)
          return `epubcfi(/6/2!/4/2,/1:${from},/1:${from + words.length})\t${words}`
        }).join('\n'),
      ),
      report: {
        sentences: 3,
        placed: 2,
        skipped: [],
        unknownWords: [],
        extraSeconds: 0,
        problem: null,
        takesOverlays: true,
      },
    })
  }
  return { audioBook, eBook }
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
