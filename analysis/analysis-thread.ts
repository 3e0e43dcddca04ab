import { open } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { alignChapter, type ChapterAlignment } from './align/align-chapter.ts'
import { estimateBetween } from './align/estimate.ts'
import { canAlign, openSoundswallower } from './align/soundswallower.ts'
import { CannotDecode } from './sound/decode.ts'
import { listenThrough, type SoundFacts } from './sound/listen-through.ts'
import { SPEECH_RATE } from './sound/resample.ts'
import type { Caption } from '#server/db/schema/in-step.ts'
import { placeByCaptions } from './text/place-by-captions.ts'
import { spokenWords } from './text/spoken-words.ts'

export interface AnalysisTask {
  readonly sound: string
  readonly extension: string
  readonly priority: number
  /** A path for the decoded speech; the caller removes it. */
  readonly scratch: string
  readonly text: TaskText | null
}

export interface TaskText {
  readonly language: string
  /** In the order of reading. */
  readonly sentences: readonly string[]
  /** See `ChapterSound`. */
  readonly isExcerpt: boolean
  /** Used instead of searching, if they have the words of the sentences. */
  readonly captions: { readonly fileName: string; readonly captions: readonly Caption[] } | null
}

export interface AnalysisResult {
  /** Null if the sound cannot be decoded. */
  readonly facts: Omit<SoundFacts, 'levels'> | null
  readonly soundProblem: string | null
  /** Null without a text. The ids are indexes of the task's sentences. */
  readonly alignment: (ChapterAlignment & { readonly unknownWords: readonly string[] }) | null
  readonly isByCaptions: boolean
  /** Why nothing is certain, or captions were not used. */
  readonly problem: string | null
}

export type AnalysisMessage = { readonly share: number } | { readonly result: AnalysisResult }

const say = (message: AnalysisMessage) => parentPort!.postMessage(message)

const NOTHING: AnalysisResult = {
  facts: null,
  soundProblem: null,
  alignment: null,
  isByCaptions: false,
  problem: null,
}

const given: AnalysisTask = workerData
// On Linux a priority applies to the calling thread; elsewhere it would slow down the whole process.
if (process.platform === 'linux') setPriority(given.priority)
say({ result: await analyse(given) })

async function analyse(task: AnalysisTask): Promise<AnalysisResult> {
  const { captions = null, sentences = [], language = '' } = task.text ?? {}
  const byCaptions = captions && placeByCaptions(sentences, captions.captions, language)
  const otherWords = captions && `${captions.fileName} has other words than the text`
  const scratch = task.text && !byCaptions ? task.scratch : undefined
  let facts: SoundFacts
  try {
    facts = await listenThrough(task.sound, task.extension, scratch)
  } catch (error) {
    if (!(error instanceof CannotDecode)) throw error
    const problem = byCaptions ? null : [otherWords, `the sound ${error.message}`].filter(Boolean).join('; ')
    return { ...NOTHING, soundProblem: error.message, problem, ...suppliedBy(byCaptions) }
  }
  const { levels: _, ...stored } = facts
  if (byCaptions || !task.text) return { ...NOTHING, facts: stored, ...suppliedBy(byCaptions) }
  const found = await align(task.text, facts.levels, task.scratch)
  const problem = [otherWords, found.problem].filter(Boolean).join('; ') || null
  return { ...NOTHING, facts: stored, ...found, problem }
}

function suppliedBy(byCaptions: ChapterAlignment | null | undefined) {
  return byCaptions ? { alignment: { ...byCaptions, unknownWords: [] }, isByCaptions: true } : {}
}

async function align(
  text: TaskText,
  levels: Uint8Array,
  scratch: string,
): Promise<Pick<AnalysisResult, 'alignment' | 'problem'>> {
  const estimated = (problem: string) => {
    const lines = text.sentences.map((words, id) => ({ id, length: words.length }))
    const placed = estimateBetween(lines, 0, levels.length, levels)
    return {
      alignment: { placed, skipped: [], extra: 0, doubtfulWords: [], unknownWords: [] },
      problem,
    }
  }
  if (text.sentences.length === 0) return { alignment: null, problem: 'the text has nothing for it' }
  if (!canAlign(text.language))
    return estimated(`sentences in this language (${text.language}) are estimated`)
  const aligner = await openSoundswallower(text.language)
  const speech = await open(scratch)
  try {
    const lines = text.sentences.map((words, id) => ({
      id,
      length: words.length,
      spoken: spokenWords(words, text.language),
    }))
    const read = async (start: number, end: number) => {
      const samples = ((end - start) * SPEECH_RATE) / 100
      const bytes = Buffer.alloc(samples * 2)
      const { bytesRead } = await speech.read(bytes, 0, bytes.length, ((start * SPEECH_RATE) / 100) * 2)
      const pcm = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytesRead / 2))
      return Float32Array.from(pcm, (sample) => sample / 32_768)
    }
    const speakable = lines.filter(({ spoken }) => spoken.length > 0)
    const sound = { levels, speech: read, isExcerpt: text.isExcerpt }
    const alignment = await alignChapter(aligner, speakable, sound, (share) => say({ share }))
    if (!alignment.placed.some(({ isCertain }) => isCertain))
      return estimated('the sound does not match the text')
    return { alignment: { ...alignment, unknownWords: [...aligner.unknownWords] }, problem: null }
  } finally {
    await speech.close()
    aligner.close()
  }
}
