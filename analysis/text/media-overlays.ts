import { posix } from 'node:path'
import type { PlacedLine } from '../align/aligner.ts'
import type { EpubText, TextSentence } from './epub-text.ts'
import { elements, firstNamed, type Markup, readMarkup } from './markup.ts'
import type { SoundChapter } from './match-chapters.ts'

export interface SuppliedChapter {
  readonly sentences: readonly TextSentence[]
  /** The ids are indexes of the sentences. */
  readonly placed: readonly PlacedLine[]
}

/** In hundredths of a second of its sound file. */
interface Clip {
  readonly sound: string
  readonly start: number
  readonly end: number
}

/**
 * The times that an EPUB 3 brings in its media overlays, by the number of the chapter. Undefined if it has none, or if
 * their sound files are not the chapters: as many, in the same order, of about the same length.
 */
export async function suppliedTimes(
  text: EpubText,
  chapters: readonly SoundChapter[],
): Promise<ReadonlyMap<number, SuppliedChapter> | undefined> {
  const clips = await clipsOf(text)
  const bySound = Map.groupBy(spokenIn(text, clips), ({ clip }) => clip.sound)
  const sounds = [...bySound.values()]
  if (sounds.length === 0 || sounds.length !== chapters.length) return undefined
  const isSameSound = sounds.every((spoken, index) => {
    const last = Math.max(...spoken.map(({ clip }) => clip.start))
    const length = chapters[index]!.durationMs / 10
    return last < length && last > length / 2
  })
  if (!isSameSound) return undefined
  return new Map(
    chapters.map(({ number, durationMs }, index) => {
      const spoken = sounds[index]!
      return [
        number,
        { sentences: spoken.map(({ sentence }) => sentence), placed: placedIn(spoken, durationMs / 10) },
      ]
    }),
  )
}

/** By the address of the element that is spoken: `text/1.xhtml#s12`. */
async function clipsOf({ sections, read }: EpubText): Promise<Map<string, Clip>> {
  const clips = new Map<string, Clip>()
  for (const overlay of new Set(sections.flatMap((section) => section.overlay ?? []))) {
    const smil = await read(overlay)
    for (const par of smil ? parsIn(markupOf(smil)) : []) {
      const parts = elements(par)
      const target = firstNamed(parts, 'text')?.attributes.src
      const audio = firstNamed(parts, 'audio')?.attributes
      if (!target || !audio?.src) continue
      const start = clockValue(audio.clipBegin) ?? 0
      const end = clockValue(audio.clipEnd) ?? Infinity
      if (end > start) clips.set(inside(overlay, target), { sound: inside(overlay, audio.src), start, end })
    }
  }
  return clips
}

function markupOf(xml: string): Markup[] {
  try {
    return readMarkup(xml)
  } catch {
    return []
  }
}

const parsIn = (nodes: readonly Markup[]): Markup[] =>
  nodes.flatMap((node) => (node.name === 'par' ? [node] : parsIn(node.children)))

/** Resolves an address in a file of the EPUB to a path in the EPUB. */
function inside(file: string, href: string): string {
  const path = posix.normalize(posix.join(posix.dirname(file), href))
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** SMIL: `0:01:02.5`, `62.5s`, `62500ms`, `1.5min`, `1h`, or seconds. */
function clockValue(given: string | undefined): number | undefined {
  const [, clock, unit] = /^\s*(?:npt=)?([\d:.]+)\s*(h|min|s|ms)?\s*$/.exec(given ?? '') ?? []
  if (clock === undefined) return undefined
  const value = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  const hundredths = value * UNITS[unit ?? 's']!
  return Number.isFinite(hundredths) ? Math.round(hundredths) : undefined
}
const UNITS: Readonly<Record<string, number>> = { h: 360_000, min: 6000, s: 100, ms: 0.1 }

interface Spoken {
  readonly sentence: TextSentence
  readonly key: string
  readonly clip: Clip
}

/** The sentences that a clip contains, or several, one for each word. */
function spokenIn({ sections }: EpubText, clips: ReadonlyMap<string, Clip>): Spoken[] {
  return sections.flatMap(({ href, sentences }) =>
    sentences.flatMap((sentence) => {
      const keys = sentence.ids.map((id) => `${href}#${id}`).filter((key) => clips.has(key))
      const first = clips.get(keys[0] ?? '')
      if (!first) return []
      const ends = keys.map((key) => clips.get(key)!).filter(({ sound }) => sound === first.sound)
      const end = Math.max(...ends.map((clip) => clip.end))
      return [{ sentence, key: keys[0]!, clip: { ...first, end } }]
    }),
  )
}

/** Sentences that share a clip share its time by their length; only the first one's start is known. */
function placedIn(spoken: readonly Spoken[], length: number): PlacedLine[] {
  const placed: PlacedLine[] = []
  let last = 0
  for (let first = 0, after = 0; first < spoken.length; first = after) {
    const { key, clip } = spoken[first]!
    while (spoken[after]?.key === key) after++
    const together = spoken.slice(first, after)
    const next = spoken[after]?.clip.start ?? Infinity
    const until = Math.min(length, together.at(-1)!.clip.end, next > clip.start ? next : Infinity)
    const letters = together.reduce((sum, { sentence }) => sum + sentence.words.length, 0)
    let read = 0
    for (const [index, { sentence }] of together.entries()) {
      const at = () => Math.round(clip.start + ((until - clip.start) * read) / letters)
      const wanted = at()
      read += sentence.words.length
      const start = Math.max(last, wanted)
      last = Math.max(start, at())
      const isCertain = index === 0 && start - wanted <= OVERLAP
      placed.push({ id: first + index, start, end: last, isCertain })
    }
  }
  return placed
}

/** Hundredths of a second by which two clips may overlap. */
const OVERLAP = 10
