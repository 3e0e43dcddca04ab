import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenThrough } from '#analysis/sound/listen-through.ts'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'
import { mp3, OwnersFolder, STEREO, TONE } from '#importer/fixtures/owners-folder.ts'
import { titlesCommand } from '#importer/titles-command.ts'
import { importTitles } from '#importer/run.ts'
import { selectNamedMedia } from '#importer/sweep.ts'
import { adjustedSounds, alignments, soundAnalyses } from '#server/db/schema/in-step.ts'
import { books, chapters } from '#server/db/schema/catalogue.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import { anEBook } from '#tests/support/builders.ts'
import { aStoredFile } from '#tests/support/catalogue-builders.ts'
import { typed } from '#tests/support/run-command.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { changeLoudness, planLoudness } from './even-loudness.ts'

const folder = new OwnersFolder()
let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(async () => {
  folder.remove()
  await shop.close()
})

const bring = async (slug: string) =>
  (
    await importTitles(
      { db: shop.db, media: shop.media, now: () => new Date(), root: folder.path, priceMinor: 500 },
      [folder.folder(slug)],
    )
  )[0]!

const chaptersOf = (bookId: number) =>
  shop.db.select().from(chapters).where(eq(chapters.bookId, bookId)).orderBy(asc(chapters.number))

/** An imported title with these sounds and what the analysis would have measured in each. */
async function aMeasuredTitle(
  slug: string,
  sounds: readonly (readonly [bytes: Buffer, loudness: number | null, truePeak: number])[],
): Promise<number> {
  for (const [index, [bytes]] of sounds.entries()) folder.put(`${slug}/${index + 1}.mp3`, bytes)
  folder.put(`${slug}/book.json`, { title: slug, authors: ['Ida Frost'] })
  await bring(slug)
  const [book] = await shop.db.select().from(books).where(eq(books.slug, slug))
  for (const [index, { soundId }] of (await chaptersOf(book!.id)).entries()) {
    const [, loudness, truePeak] = sounds[index]!
    await shop.db
      .insert(soundAnalyses)
      .values({ soundId, version: 1, loudness, truePeak, silences: new Uint8Array([1, 2]) })
      .onConflictDoNothing()
  }
  return book!.id
}

const measured = async (sha256: string) => {
  const bytes = await buffer(await shop.media.stream(mediaPath({ sha256, extension: 'mp3' })))
  return listenThrough(folder.put('measured.mp3', bytes).folder('measured.mp3'), 'mp3')
}

test('in step: chapters come within 0.8 LU of -18, or as near as -1 dBTP allows, by steps of 1.5 dB', async () => {
  const other = (name: string) => mp3({ title: name }, TONE)
  const bookId = await aMeasuredTitle('planned', [
    [other('quiet'), -25.1, -9],
    [other('loud'), -11, 0.5],
    [other('near'), -18.7, -1.2],
    [other('peaks'), -25.1, -4.2],
    [other('above'), -20, -0.3],
    [other('silent'), null, 0],
  ])
  const planned = await planLoudness(shop, bookId)
  expect(planned.map(({ wantedSteps, reason }) => [wantedSteps, reason])).toEqual([
    [5, null],
    [-5, null],
    [0, null],
    [2, 'peak'],
    [0, 'peak'],
    [0, 'not-measured'],
  ])
  const free = planned.filter(({ reason }) => reason === null)
  for (const { after } of free) expect(Math.abs(after! + 18)).toBeLessThanOrEqual(0.8)
})

test('in step: titles loudness makes a new file whose measured loudness is the promised one, and --undo restores the original', async () => {
  const sample = await readFile(join(DEMO_CONTENT, 'titles/one-hour-island/sample.mp3'))
  const quiet = { loudness: -26, truePeak: -9 }
  const bookId = await aMeasuredTitle('evened', [
    [mp3({ title: 'One' }, sample), quiet.loudness, quiet.truePeak],
  ])
  const [{ soundId: original }] = (await chaptersOf(bookId)) as [typeof chapters.$inferSelect]
  const fileId = await aStoredFile(shop, Buffer.from('an e-book of it'), 'epub')
  await anEBook(shop, { slug: 'evened', fileId })
  const report = { sentences: 1, placed: 1, skipped: [], unknownWords: [], extraSeconds: 0, problem: null }
  const found = {
    version: 1,
    source: 'aligned' as const,
    times: new Uint8Array([3]),
    words: new Uint8Array([4]),
  }
  await shop.db.insert(alignments).values({ soundId: original, textId: fileId, ...found, report })

  const even = (...more: string[]) =>
    typed(shop, titlesCommand, ['loudness', 'evened', '--because', 'too quiet', '--yes', ...more])
  expect((await even()).said).toContain(': -26.0 LUFS becomes -18.5 LUFS\n')
  const [{ soundId: adjusted }] = (await chaptersOf(bookId)) as [typeof chapters.$inferSelect]
  const [before, after] = [await measured(original), await measured(adjusted)]
  expect(after.loudness! - before.loudness!).toBeCloseTo(7.5, 1)
  expect(after.durationMs).toBe(before.durationMs)
  // What was found in the original goes with it, so nothing is analysed again.
  const [analysis] = await shop.db.select().from(soundAnalyses).where(eq(soundAnalyses.soundId, adjusted))
  expect(analysis!.loudness).toBeCloseTo(-18.47, 1)
  expect(await shop.db.$count(alignments, eq(alignments.soundId, adjusted))).toBe(1)
  await expect(even()).rejects.toThrow('Every chapter is as even as it can be.')
  // The sweep of unused files keeps it.
  expect((await selectNamedMedia(shop.db, shop.now())).has(original)).toBe(true)

  expect((await even('--undo')).said).toContain('1 chapter changed.')
  expect((await chaptersOf(bookId))[0]!.soundId).toBe(original)
})

test('in step: an import keeps the chosen loudness while the folder has the same sound, and takes another one', async () => {
  const bookId = await aMeasuredTitle('kept', [
    [mp3({ title: 'One' }, STEREO), -26, -8],
    [mp3({ title: 'Two' }, STEREO), -25, -8],
  ])
  const before = await chaptersOf(bookId)
  expect(await changeLoudness(shop, bookId, await planLoudness(shop, bookId))).toEqual([1, 2])
  expect((await bring('kept')).outcome).toBe('same')
  folder.put('kept/2.mp3', mp3({ title: 'Two again' }, STEREO))
  folder.put('kept/book.json', { title: 'kept', authors: ['Ida Frost'], violence: true })
  expect((await bring('kept')).outcome).toBe('changed')
  const after = await chaptersOf(bookId)
  const [adjusted] = await shop.db
    .select()
    .from(adjustedSounds)
    .where(eq(adjustedSounds.originalId, before[0]!.soundId))
  expect(after[0]!.soundId).toBe(adjusted!.soundId)
  expect(await shop.db.$count(adjustedSounds, eq(adjustedSounds.soundId, after[1]!.soundId))).toBe(0)
})
