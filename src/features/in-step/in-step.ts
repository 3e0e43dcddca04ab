import { decodeStretches, decodeTimes, splitInStep, type Stretch } from '#contract/calculations/in-step.ts'
import { addressOf } from '#net/call.ts'
import { connectivity } from '#net/connectivity.ts'
import { fetchFile } from '#net/fetch-file.ts'
import { NetProblem } from '#net/problem.ts'
import { writeFormatPair } from '#storage/format-pairs.ts'
import { placesDb } from '#storage/places-db.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { readInStep, readTitle, removeInStep, writeInStep } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'

export interface Sentence {
  readonly chapter: number
  /** Both in seconds of the chapter. */
  readonly start: number
  readonly end: number
  /** False: only about here. */
  readonly isCertain: boolean
  /** Empty for owners of the audiobook alone, and for a sentence that is not in the e-book's own text. */
  readonly cfi: string
  readonly words: string
}

export interface InStepChapter {
  readonly number: number
  readonly title: string
  /** SHA-256 of the sound that the times belong to. */
  readonly sound: string
  readonly sentences: readonly Sentence[]
  /** In hundredths of a second. */
  readonly silences: readonly Stretch[]
}

export interface InStep {
  readonly version: string
  /** Slug of the e-book, and SHA-256 of its file; null for owners of the audiobook alone. */
  readonly eBook: string | null
  readonly text: string | null
  readonly hasSpokenEBook: boolean
  readonly chapters: readonly InStepChapter[]
}

const opened = new Map<string, Promise<InStep | undefined>>()

/**
 * What is known of an audiobook: from this device at once, and otherwise from the server. Undefined if it isn't analysed,
 * the listener doesn't own it, or neither answers.
 */
export function inStepOf(ownerUuid: string, slug: string): Promise<InStep | undefined> {
  const key = `${ownerUuid} ${slug}`
  const known = opened.get(key)
  if (known) return known
  const opening = open(ownerUuid, slug).catch(() => undefined)
  opened.set(key, opening)
  // A later press tries again.
  void opening.then((found) => found ?? opened.delete(key))
  return opening
}

async function open(ownerUuid: string, slug: string): Promise<InStep | undefined> {
  const stored = await readInStep(ownerUuid, slug).catch(() => undefined)
  if (!stored) return connectivity.snapshot() === 'offline' ? undefined : fetchInStep(ownerUuid, slug)
  // The next opening uses what the server has by then.
  if (connectivity.snapshot() !== 'offline') void fetchInStep(ownerUuid, slug).catch(() => undefined)
  return decodeInStep(stored)
}

/** Fetches and stores the file: with a download, and when a title is opened. */
export async function fetchInStep(ownerUuid: string, slug: string): Promise<InStep | undefined> {
  try {
    const file = await fetchFile(
      addressOf('GET /api/audio_books/{slug}/in_step', { params: { slug } }),
      ownerUuid,
    )
    const fetched = await decodeInStep(file)
    if (fetched.chapters.every(({ sentences, silences }) => sentences.length + silences.length === 0))
      return undefined
    await rememberPair(ownerUuid, slug, fetched.eBook)
    if (!(await belongsToOlderDownload(ownerUuid, slug, fetched)))
      await writeInStep(ownerUuid, slug, file).catch(() => undefined)
    return fetched
  } catch (problem) {
    // The title was given back, or its analysis was removed.
    if (problem instanceof NetProblem && problem.status === 404) {
      await removeInStep(ownerUuid, slug)
      await rememberPair(ownerUuid, slug, null)
    }
    throw problem
  }
}

const rememberPair = (ownerUuid: string, audioBook: string, eBook: string | null): Promise<void> =>
  placesDb.use(ownerUuid, (db) => writeFormatPair(db, audioBook, eBook)).catch(() => undefined)

/** A download keeps its sound until the listener refreshes it, so it keeps the times of that sound, too. */
async function belongsToOlderDownload(ownerUuid: string, slug: string, fetched: InStep): Promise<boolean> {
  const title = await readTitle(ownerUuid, titleKey('audio', slug))
  const stored = title?.kept === 1 && (await readInStep(ownerUuid, slug))
  if (!title || !stored) return false
  const fits = ({ chapters }: InStep) =>
    title.files.every(({ chapter, sha256 }) =>
      chapters.some(({ number, sound }) => number === chapter && sound === sha256),
    )
  return fits(await decodeInStep(stored)) && !fits(fetched)
}

export async function decodeInStep(file: ArrayBuffer): Promise<InStep> {
  const { chapters, ...version } = splitInStep(new Uint8Array(file))
  return {
    ...version,
    chapters: await Promise.all(
      chapters.map(async ({ number, title, sound, times, words, silences }) => {
        const lines = words.length > 0 ? (await inflate(words)).split('\n') : []
        return {
          ...{ number, title, sound },
          silences: decodeStretches(silences),
          sentences: decodeTimes(times).map(({ start, end, isCertain }, index) => {
            const [cfi = '', text = ''] = (lines[index] ?? '').split('\t')
            return { chapter: number, start: start / 100, end: end / 100, isCertain, cfi, words: text }
          }),
        }
      }),
    ),
  }
}

const inflate = (bytes: Uint8Array): Promise<string> =>
  new Response(new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()

/** Without the chapters whose times belong to another version of the sound. */
export const ofSound = (
  inStep: InStep,
  chapters: readonly { readonly number: number; readonly sound?: string }[],
): InStep => ({
  ...inStep,
  chapters: inStep.chapters.filter(({ number, sound }) =>
    chapters.some((chapter) => chapter.number === number && chapter.sound === sound),
  ),
})

/** The sentence that is spoken at a place: in a pause the one before it. Undefined before the first one. */
export function sentenceAt(inStep: InStep, { chapter, seconds }: ChapterSeconds): Sentence | undefined {
  const sentences = inStep.chapters.find(({ number }) => number === chapter)?.sentences ?? []
  let low = 0
  let high = sentences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sentences[middle]!.start <= seconds) low = middle + 1
    else high = middle
  }
  return sentences[low - 1]
}

/** Shorter ones are no credits but a heading or a breath, and later text is not preceded by credits alone. */
const CREDITS_SECONDS = { least: 5, most: 120 }
/** A pause at least this long follows the credits. Between sentences it is shorter. */
const PAUSE_SECONDS = 0.8
/** The start of a sentence is at the edge of a pause. */
const NEAR_SECONDS = 0.3

/**
 * Where the text begins in a book's first chapter, if opening credits come before it. Undefined in doubt: skipping the
 * first sentence is worse than hearing the credits.
 */
export function creditsEnd(inStep: InStep, firstChapter: number | undefined): number | undefined {
  const chapter = inStep.chapters.find(({ number }) => number === firstChapter)
  const first = chapter?.sentences[0]
  if (!first?.isCertain || first.start < CREDITS_SECONDS.least || first.start > CREDITS_SECONDS.most)
    return undefined
  const isAfterPause = chapter!.silences.some(
    ({ start, end }) =>
      end - start >= PAUSE_SECONDS * 100 && Math.abs(end / 100 - first.start) <= NEAR_SECONDS,
  )
  return isAfterPause ? first.start : undefined
}
