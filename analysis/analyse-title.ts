import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { deflateRaw } from 'node:zlib'
import { encodeStretches, encodeTimes } from '#contract/calculations/in-step.ts'
import type { Database } from '#server/db/open.ts'
import { notifyInstances } from '#server/features/catalogue/queries.ts'
import type { AlignmentReport } from '#server/db/schema/in-step.ts'
import { type MediaStore, MissingMedia } from '#server/integrations/media/media-store.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import type { AnalysisMessage, AnalysisResult, AnalysisTask, TaskText } from './analysis-thread.ts'
import {
  ANALYSIS_VERSION,
  type SoundToAnalyse,
  storeAlignment,
  storeInStep,
  storeSoundAnalysis,
  type TitleToAnalyse,
} from './queries.ts'
import type { PlacedLine } from './align/aligner.ts'
import { suppliedTimes } from './text/media-overlays.ts'
import { type EpubText, readEpubText, type TextSentence, UnreadableText } from './text/epub-text.ts'
import { matchChapters } from './text/match-chapters.ts'
import { sentencesOf } from './text/sentences.ts'

export interface Analysing {
  readonly db: Database
  readonly media: Pick<MediaStore, 'stream'>
  readonly dataDir: string
  /** Stops after the current chapter; the next run continues there. */
  readonly signal?: AbortSignal
  readonly onProgress?: (what: string, share: number) => void
  /** Also what is analysed already. */
  readonly again?: boolean
  /** Of the next chapter, as in `os.setPriority`; by default only CPU time that listeners leave. */
  readonly priority?: () => number
}

export const LOWEST_PRIORITY = 19

/** Each chapter is stored as soon as it is done. Returns the number of chapters and samples that were analysed. */
export async function analyseTitle(analysing: Analysing, title: TitleToAnalyse): Promise<number> {
  const { dataDir, signal, again = false } = analysing
  await mkdir(dataDir, { recursive: true })
  const folder = await mkdtemp(join(dataDir, 'analysis-'))
  try {
    const text = title.textId === null ? null : await textOf(analysing, title.textId, folder)
    const matched = new Map(
      text instanceof UnreadableText || text === null
        ? []
        : matchChapters(text, title.chapters).map(({ number, sentences }) => [number, sentences]),
    )
    const supplied =
      text instanceof UnreadableText || text === null ? undefined : await suppliedTimes(text, title.chapters)
    const sounds = [...title.chapters, ...(title.sample && text ? [title.sample] : [])]
    let done = 0
    for (const sound of sounds) {
      if (signal?.aborted) break
      if (!again && sound.isAnalysed && (sound.isAligned || text === null)) continue
      const sentences =
        sound.number === 0 && text && !(text instanceof UnreadableText)
          ? sampleSentences(title, text)
          : (matched.get(sound.number) ?? [])
      const times = sound.captions ? undefined : supplied?.get(sound.number)
      await analyseSound(analysing, title, sound, { folder, text, sentences, ...times })
      done++
    }
    const isChanged = await storeInStep(analysing.db, title.id)
    // The public answer of the sample is cached, and so are cards.
    if (done > 0 || isChanged) await notifyInstances(analysing.db)
    return done
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function textOf(
  { media }: Analysing,
  textId: string,
  folder: string,
): Promise<EpubText | UnreadableText> {
  const path = join(folder, 'text.epub')
  try {
    await copyMedia(media, mediaPath({ sha256: textId, extension: 'epub' }), path)
    return await readEpubText(path)
  } catch (error) {
    if (error instanceof UnreadableText) return error
    if (error instanceof MissingMedia) return new UnreadableText('the file of the e-book is missing')
    throw error
  }
}

const copyMedia = async (media: Analysing['media'], path: string, to: string): Promise<void> =>
  pipeline(await media.stream(path), createWriteStream(to))

/** Aligns the sample with its own text if the title has one, otherwise with the beginning of the book. */
function sampleSentences({ sampleText, language }: TitleToAnalyse, text: EpubText): readonly TextSentence[] {
  const body = text.sections.flatMap(({ sentences }) => sentences)
  const shown = sampleText ? sentencesOf(sampleText, languageOf(text, language)) : []
  if (!sampleText || shown.length === 0) return body.slice(0, SAMPLE_SENTENCES)
  const bySpelling = new Map(body.map((sentence) => [letters(sentence.words), sentence]))
  return shown.map(({ start, end }) => {
    const words = sampleText.slice(start, end).replaceAll(/\s+/g, ' ')
    return bySpelling.get(letters(words)) ?? { words, cfi: '', isHeading: false, ids: [] }
  })
}

const SAMPLE_SENTENCES = 150
const letters = (words: string): string => words.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** As in the EPUB, else by the shop's name of it: `English` is `en`. */
function languageOf({ language }: EpubText, shops: string | null): string {
  if (language) return language
  return { english: 'en', french: 'fr' }[shops?.toLowerCase() ?? ''] ?? 'und'
}

interface Together {
  readonly folder: string
  readonly text: EpubText | UnreadableText | null
  readonly sentences: readonly TextSentence[]
  /** Where the owner says that the sentences are; else they are searched. */
  readonly placed?: readonly PlacedLine[]
}

async function analyseSound(
  analysing: Analysing,
  title: TitleToAnalyse,
  { sha256, extension, number, captions }: SoundToAnalyse,
  { folder, text, sentences, placed }: Together,
): Promise<void> {
  const { db, media, onProgress, signal, priority = () => LOWEST_PRIORITY } = analysing
  const what =
    number === 0 ? `${title.title}, sample` : `${title.title}, chapter ${number} of ${title.chapters.length}`
  onProgress?.(what, 0)
  const sound = join(folder, `sound.${extension}`)
  const words = sentences.map((sentence) => sentence.words)
  const task: AnalysisTask = {
    sound,
    extension,
    priority: priority(),
    scratch: join(folder, 'speech'),
    text:
      text === null || text instanceof UnreadableText || placed
        ? null
        : ({
            language: languageOf(text, title.language),
            sentences: words,
            isExcerpt: number === 0,
            captions,
          } satisfies TaskText),
  }
  let outcome: AnalysisResult
  try {
    await copyMedia(media, mediaPath({ sha256, extension }), sound)
    outcome = await inThread(task, (share) => onProgress?.(what, share), signal)
  } catch (error) {
    if (!(error instanceof MissingMedia)) throw error
    outcome = failed('is missing')
  }
  await db.transaction(async (tx) => {
    await storeSoundAnalysis(tx, {
      soundId: sha256,
      version: ANALYSIS_VERSION,
      durationMs: outcome.facts?.durationMs ?? null,
      loudness: outcome.facts?.loudness ?? null,
      truePeak: outcome.facts?.truePeak ?? null,
      silences: encodeStretches(outcome.facts?.silences ?? []),
      problem: outcome.soundProblem,
    })
    if (title.textId !== null)
      await storeAlignment(tx, {
        soundId: sha256,
        textId: title.textId,
        version: ANALYSIS_VERSION,
        ...(await alignmentRow(outcome, text, sentences, placed)),
      })
  })
  onProgress?.(what, 1)
}

const failed = (soundProblem: string): AnalysisResult => ({
  facts: null,
  soundProblem,
  alignment: null,
  isByCaptions: false,
  problem: `the sound ${soundProblem}`,
})

const NAMED_AT_MOST = 20

async function alignmentRow(
  { alignment, isByCaptions, problem }: AnalysisResult,
  text: Together['text'],
  sentences: readonly TextSentence[],
  supplied: readonly PlacedLine[] | undefined,
) {
  const placed = supplied ?? alignment?.placed ?? []
  const lines = placed.map(({ id }) => `${sentences[id]!.cfi}\t${sentences[id]!.words}`)
  const skipped = alignment?.skipped ?? []
  const unknown = [...(alignment?.unknownWords ?? []), ...(alignment?.doubtfulWords ?? [])]
  const certain = placed.filter(({ isCertain }) => isCertain).length
  return {
    source:
      supplied || isByCaptions
        ? ('owner' as const)
        : certain > 0
          ? ('aligned' as const)
          : ('estimated' as const),
    times: encodeTimes(placed),
    words: await promisify(deflateRaw)(lines.join('\n')),
    report: {
      sentences: placed.length + skipped.length,
      placed: certain,
      skipped: skipped.slice(0, NAMED_AT_MOST).map((id) => sentences[id]!.words.slice(0, 200)),
      unknownWords: [...new Set(unknown)].slice(0, NAMED_AT_MOST),
      extraSeconds: Math.round((alignment?.extra ?? 0) / 100),
      problem: text instanceof UnreadableText ? text.message : problem,
      takesOverlays: text !== null && !(text instanceof UnreadableText) && text.takesOverlays,
    } satisfies AlignmentReport,
  }
}

/** The sentences of ten hours need 16 MB of it. With more room V8 leaves about 70 MB of garbage: docs/in-step.md. */
const HEAP = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/** A thread of its own for each chapter, because WebAssembly never gives memory back. */
async function inThread(
  task: AnalysisTask,
  onShare: (share: number) => void,
  signal: AbortSignal | undefined,
): Promise<AnalysisResult> {
  const thread = new Worker(new URL('./analysis-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: HEAP,
  })
  const stop = () => void thread.terminate()
  signal?.addEventListener('abort', stop, { once: true })
  let outcome: AnalysisResult | undefined
  thread.on('message', (message: AnalysisMessage) => {
    if ('share' in message) onShare(message.share)
    else outcome = message.result
  })
  try {
    await once(thread, 'exit')
  } catch (error) {
    // Stored as the result, so that a file which breaks the analysis is not tried again and again. A full disk may pass.
    if (!(error instanceof Error) || 'syscall' in error) throw error
    outcome = failed(`cannot be analysed: ${error.message.slice(0, 200)}`)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  signal?.throwIfAborted()
  if (outcome === undefined) throw new Error('the analysis ended without a result')
  return outcome
}
