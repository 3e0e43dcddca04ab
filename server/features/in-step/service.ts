import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { decodeTimes, type InStepChapter, joinInStep } from '#contract/calculations/in-step.ts'
import type { Db } from '../../db/open.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import {
  selectInStepChapters,
  selectInStepTitle,
  selectSampleSentences,
  selectSpokenTitle,
} from './queries.ts'
import { type Cue, vttOf } from './vtt.ts'

const NOTHING = new Uint8Array()

/** Without words for owners of the audio alone, and without anything before the title is analysed. @throws 404 for others */
export async function inStepFile(db: Db, userId: string, slug: string): Promise<Uint8Array> {
  const title = await selectInStepTitle(db, slug, userId)
  if (!title?.ownsSound) throw notFound()
  const rows = await selectInStepChapters(db, title.bookId, title.textId)
  // Owners who buy the e-book later get the words as another version.
  const hasWords = title.ownsText && rows.some(({ words }) => words !== null)
  const { eBook, textId: text } = hasWords ? title : { eBook: null, textId: null }
  const hasSpokenEBook =
    hasWords &&
    title.isDownloadable &&
    rows.some(({ source, takesOverlays }) => takesOverlays && source !== 'estimated')
  const hash = createHash('sha256').update(`${text}`)
  const chapters = rows.map((row): InStepChapter => {
    const { silences, times, words, takesOverlays: _, ...chapter } = row
    for (const part of [chapter.sound, silences, times, words]) hash.update(part ?? NOTHING)
    return {
      ...chapter,
      silences: silences ?? NOTHING,
      times: times ?? NOTHING,
      words: (title.ownsText && words) || NOTHING,
    }
  })
  return joinInStep({ version: hash.digest('hex').slice(0, 16), eBook, text, hasSpokenEBook }, chapters)
}

/** Owners of the audio alone get the chapter's heading in place of the words. */
export async function chapterVtt(db: Db, userId: string, slug: string, number: number): Promise<string> {
  const title = await selectInStepTitle(db, slug, userId)
  if (!title?.ownsSound) throw notFound()
  const [chapter] = await selectInStepChapters(db, title.bookId, title.textId, number)
  if (!chapter?.times || !chapter.words) throw notFound()
  const { times, words, durationMs } = chapter
  if (title.ownsText) return vttOf(chapter.title, await cuesOf(times, words))
  return vttOf(chapter.title, [{ start: 0, end: durationMs / 10, words: chapter.title, isCertain: true }])
}

/** Public, so it contains only what was heard in the sample: an estimate could be a sentence that only the e-book has. */
export async function sampleVtt(db: Db, slug: string): Promise<string> {
  const title = await selectInStepTitle(db, slug, null)
  if (!title?.isShown || !title.sampleId || !title.textId) throw notFound()
  const sample = await selectSampleSentences(db, title.sampleId, title.textId)
  if (!sample?.times || !sample.words) throw notFound()
  const heard = (await cuesOf(sample.times, sample.words)).filter(({ isCertain }) => isCertain)
  if (heard.length === 0) throw notFound()
  return vttOf(title.title, heard)
}

/** One EPUB 3 of the text and the sound. @throws 404 for others than owners of both, and if it cannot be made */
export async function spokenBook(shop: Pick<Shop, 'db' | 'media' | 'config'>, userId: string, id: number) {
  const title = await selectSpokenTitle(shop.db, userId, { id })
  if (!title) throw notFound()
  const rows = await selectInStepChapters(shop.db, id, title.textId)
  const chapters = await Promise.all(
    title.chapters.map(async (chapter) => {
      const { times, words } = rows.find(({ number }) => number === chapter.number) ?? {}
      return { ...chapter, sentences: times && words ? await cuesOf(times, words) : [] }
    }),
  )
  const { spokenEpub } = await import('./spoken-epub.ts')
  const made = await spokenEpub(shop, title.textId, chapters)
  if (!made) throw notFound()
  return { title: title.title, ...made }
}

interface PlacedSentence extends Cue {
  readonly cfi: string
}

async function cuesOf(times: Uint8Array, words: Uint8Array): Promise<PlacedSentence[]> {
  const lines = (await promisify(inflateRaw)(words)).toString('utf8').split('\n')
  return decodeTimes(times).map((time, index) => {
    const [cfi = '', sentence = ''] = lines[index]?.split('\t') ?? []
    return { ...time, cfi, words: sentence }
  })
}
