import { open } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { alignChapter, type ChapterAlignment } from './align/align-chapter.ts'
import { estimateBetween } from './align/estimate.ts'
import { canAlign, openSoundswallower } from './align/soundswallower.ts'
import { CannotDecode } from './sound/decode.ts'
import { listenThrough, type SoundFacts } from './sound/listen-through.ts'
import { SPEECH_RATE } from './sound/resample.ts'
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
}

export interface AnalysisResult {
  readonly facts: Omit<SoundFacts, 'levels'>
  /** Null without a text. The ids are indexes of the task's sentences. */
  readonly alignment: (ChapterAlignment & { readonly unknownWords: readonly string[] }) | null
  /** Why nothing is certain. */
  readonly problem: string | null
}

export type AnalysisMessage =
  | { readonly share: number }
  | { readonly result: AnalysisResult }
  /** The file itself is the reason. */
  | { readonly cannotDecode: string }

const say = (message: AnalysisMessage) => parentPort!.postMessage(message)

try {
  const task: AnalysisTask = workerData
  // On Linux a priority applies to the calling thread; elsewhere it would slow down the whole process.
  if (process.platform === 'linux') setPriority(task.priority)
  say({ result: await analyse(task) })
} catch (error) {
  if (!(error instanceof CannotDecode)) throw error
  say({ cannotDecode: error.message })
}

async function analyse({ sound, extension, scratch, text }: AnalysisTask): Promise<AnalysisResult> {
  const { levels, ...facts } = await listenThrough(sound, extension, text ? scratch : undefined)
  if (!text) return { facts, alignment: null, problem: null }
  const estimated = (problem: string): AnalysisResult => {
    const lines = text.sentences.map((words, id) => ({ id, length: words.length }))
    const placed = estimateBetween(lines, 0, levels.length, levels)
    return {
      facts,
      alignment: { placed, skipped: [], extra: 0, doubtfulWords: [], unknownWords: [] },
      problem,
    }
  }
  if (text.sentences.length === 0) return { facts, alignment: null, problem: 'the text has nothing for it' }
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
    const alignment = await alignChapter(aligner, speakable, { levels, speech: read }, (share) =>
      say({ share }),
    )
    if (!alignment.placed.some(({ isCertain }) => isCertain))
      return estimated('the sound does not match the text')
    return { facts, alignment: { ...alignment, unknownWords: [...aligner.unknownWords] }, problem: null }
  } finally {
    await speech.close()
    aligner.close()
  }
}
