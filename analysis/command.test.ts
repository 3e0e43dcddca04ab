import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeStretches, decodeTimes } from '#contract/calculations/in-step.ts'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'
import { books, chapters, languages } from '#server/db/schema/catalogue.ts'
import { alignments, soundAnalyses } from '#server/db/schema/in-step.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { selectNamedMedia } from '#importer/sweep.ts'
import { anEBook } from '#tests/support/builders.ts'
import { aSoundingBook, aStoredFile, named } from '#tests/support/catalogue-builders.ts'
import { anInStepTitle } from '#tests/support/in-step.ts'
import { typed } from '#tests/support/run-command.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { analyseTitle } from './analyse-title.ts'
import { analyseCommand } from './command.ts'
import { selectTitleToAnalyse, storeInStep } from './queries.ts'

const SLUG = 'the-orchard-at-low-tide'
const folder = join(DEMO_CONTENT, 'titles', SLUG)

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const analyse = (...argv: string[]) => typed(shop, (frame) => analyseCommand(frame), argv)

/** A demo title with its third chapter, its sample and its EPUB. */
async function aTitle() {
  const { title, sampleText, audiobook } = JSON.parse(await readFile(join(folder, 'book.json'), 'utf8'))
  const fileId = await aStoredFile(shop, await readFile(join(folder, `${SLUG}.epub`)), 'epub')
  const eBook = await anEBook(shop, { slug: SLUG, title, fileId })
  const chapter = audiobook.chapters[2]
  return aSoundingBook(shop, [{ title: chapter.title, bytes: await readFile(join(folder, chapter.file)) }], {
    slug: SLUG,
    title,
    counterpartId: eBook.id,
    sampleText,
    sampleId: await aStoredFile(shop, await readFile(join(folder, 'sample.mp3')), 'mp3'),
    languageId: await named(shop, languages, 'English'),
  })
}

test('in step: titles analyse reports where the sentences of a title are, does no chapter twice, and stores at most 1 kB a minute', async () => {
  const book = await aTitle()
  const analysing = { db: shop.db, media: shop.media, dataDir: shop.config.dataDir, priority: () => 0 }
  const remaining = async () => analyseTitle(analysing, (await selectTitleToAnalyse(shop.db, SLUG))!)
  expect(await remaining()).toBe(2)
  expect(await remaining()).toBe(0)
  // At its own, low priority the command would take minutes on a busy machine; here nothing is left for it to do.
  const { code, said } = await analyse(SLUG)
  expect(code).toBe(0)
  expect(said).toMatch(/12 of 12 sentences are placed \(100\.0 %\)\./)
  expect(said).toMatch(/1\. .+: -1[89]\.\d LUFS, peak -\d+\.\d dBTP, 12 of 12 sentences/)

  const [chapter] = await shop.db
    .select()
    .from(chapters)
    .where(eq(chapters.bookId, book.id))
    .orderBy(asc(chapters.number))
  const [sound] = await shop.db
    .select()
    .from(soundAnalyses)
    .where(eq(soundAnalyses.soundId, chapter!.soundId))
  const [alignment] = await shop.db.select().from(alignments).where(eq(alignments.soundId, chapter!.soundId))
  expect(alignment).toMatchObject({ source: 'aligned', report: { placed: 12, problem: null } })
  expect(decodeTimes(alignment!.times)).toHaveLength(12)
  expect(decodeStretches(sound!.silences).length).toBeGreaterThan(3)
  const bytes = sound!.silences.length + alignment!.times.length + alignment!.words.length
  expect(bytes / (sound!.durationMs! / 60_000)).toBeLessThanOrEqual(1024)

  const { body } = await shop.app.inject(`/api/audio_books/${SLUG}/in_step/sample.vtt`)
  expect(body).toContain('The times of all cues are certain.')
})

test('in step: both formats of a title are marked when every chapter is analysed and four of five sentences are placed', async () => {
  const { audioBook, eBook } = await anInStepTitle(shop)
  const isMarked = async (placed: number) => {
    await shop.db.update(alignments).set({
      report: { sentences: 3, placed, skipped: [], unknownWords: [], extraSeconds: 0, problem: null },
    })
    await storeInStep(shop.db, audioBook.id)
    const marks = await shop.db
      .select({ inStep: books.inStep })
      .from(books)
      .where(inArray(books.id, [audioBook.id, eBook.id]))
    return marks.map(({ inStep }) => inStep)
  }
  expect(await isMarked(2)).toEqual([false, false])
  expect(await isMarked(3)).toEqual([true, true])
  await shop.db.insert(chapters).values({
    ...{ bookId: audioBook.id, number: 2, title: 'Not analysed yet', durationMs: 1000 },
    soundId: await aStoredFile(shop, Buffer.from('a new chapter'), 'mp3'),
  })
  expect(await isMarked(3)).toEqual([false, false])
})

test('in step: an analysis goes with its file, and does not keep a file that nothing else names', async () => {
  const sha256 = await aStoredFile(shop, Buffer.from('an older recording'), 'mp3')
  await shop.db.insert(soundAnalyses).values({ soundId: sha256, version: 1, silences: new Uint8Array() })
  expect((await selectNamedMedia(shop.db, shop.now())).has(sha256)).toBe(false)
  await shop.db.delete(mediaFiles).where(eq(mediaFiles.sha256, sha256))
  expect(await shop.db.$count(soundAnalyses, eq(soundAnalyses.soundId, sha256))).toBe(0)
})

test('in step: a chapter that cannot be decoded, and an unknown title, are reported', async () => {
  await aSoundingBook(shop, [{ title: 'Torn', bytes: Buffer.from('not a sound at all '.repeat(100)) }], {
    slug: 'torn',
    title: 'Torn',
  })
  const { said } = await analyse('torn')
  expect(said).toContain('1. Torn: the sound cannot be decoded')
  expect(said).toContain('There is no text to place: the shop has no EPUB of this title.')
  await expect(analyse('nothing')).rejects.toThrow('There is no audiobook “nothing”.')
})
