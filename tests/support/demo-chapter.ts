import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'
import type { ChapterLine, ChapterSound } from '#analysis/align/align-chapter.ts'
import { quietStretches } from '#analysis/sound/levels.ts'
import { listenThrough } from '#analysis/sound/listen-through.ts'
import { SPEECH_RATE } from '#analysis/sound/resample.ts'
import { readEpubText, type TextSentence } from '#analysis/text/epub-text.ts'
import { matchChapters } from '#analysis/text/match-chapters.ts'
import { spokenWords } from '#analysis/text/spoken-words.ts'

export interface DemoChapter {
  /** The text with its heading, which isn't spoken in the recording. */
  readonly sentences: readonly TextSentence[]
  readonly lines: readonly ChapterLine[]
  readonly sound: ChapterSound
  /**
   * Where each sentence starts, in hundredths of a second. `tools/demo/festival.ts` puts a pause before each of them:
   * the first long pause ends where the first sentence starts, and so on.
   */
  readonly starts: ReadonlyMap<number, number>
}

/** Hundredths of a second; pauses inside a sentence are shorter. */
const BETWEEN_SENTENCES = 24

/** A chapter of a demo title and its text. `seconds` takes only the beginning of the sound. */
export async function demoChapter(slug: string, number: number, seconds = Infinity): Promise<DemoChapter> {
  const folder = join(DEMO_CONTENT, 'titles', slug)
  const book: { audiobook: { chapters: { file: string; title: string }[] } } = JSON.parse(
    await readFile(join(folder, 'book.json'), 'utf8'),
  )
  const text = await readEpubText(join(folder, `${slug}.epub`))
  const chapters = book.audiobook.chapters.map(({ title }, index) => ({
    number: index + 1,
    title,
    durationMs: 60_000,
  }))
  const { sentences } = matchChapters(text, chapters)[number - 1]!
  const scratch = await mkdtemp(join(tmpdir(), 'murmur-analysis-'))
  try {
    const path = join(folder, book.audiobook.chapters[number - 1]!.file)
    const { levels: all } = await listenThrough(path, 'mp3', join(scratch, 'speech'))
    const levels = all.subarray(0, Math.min(all.length, seconds * 100))
    const bytes = await readFile(join(scratch, 'speech'))
    const speech = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
    const perFrame = SPEECH_RATE / 100
    const spoken = [...sentences.keys()].filter((id) => !sentences[id]!.isHeading)
    const starts = quietStretches(levels, 60, BETWEEN_SENTENCES).map(({ end }) => end)
    // The last one is the silence at the end of the sound.
    if (levels.length === all.length) starts.pop()
    return {
      sentences,
      lines: linesOf(sentences),
      sound: {
        levels,
        speech: async (start, end) =>
          Float32Array.from(speech.subarray(start * perFrame, end * perFrame), (sample) => sample / 32_768),
      },
      starts: new Map(starts.map((start, index) => [spoken[index]!, start])),
    }
  } finally {
    await rm(scratch, { recursive: true })
  }
}

export const linesOf = (sentences: readonly TextSentence[]): ChapterLine[] =>
  sentences.map(({ words }, id) => ({ id, length: words.length, spoken: spokenWords(words, 'en') }))
