import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { BookFile } from '../book-file.ts'
import { type FoundChapter, type FoundSound, isSample } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import type { Beside } from './beside.ts'
import { kindOf } from './kinds.ts'
import { splitM4b, splitSound, type Splitter } from './m4b.ts'
import { readM4a, readMp3 } from './sound.ts'

interface ReadingSounds {
  readonly folder: string
  readonly names: readonly string[]
  readonly work: string | undefined
  readonly splitter: Splitter
  readonly book: BookFile | undefined
  readonly beside: Beside
  readonly trying: <T>(name: string, read: (path: string) => Promise<T>) => Promise<T | undefined>
  readonly warnings: string[]
}

export async function readSounds(reading: ReadingSounds): Promise<FoundSound[]> {
  const { names, splitter, trying, warnings } = reading
  const sounds: FoundSound[] = []
  for (const name of names.filter((each) => kindOf(each) === 'mp3' || kindOf(each) === 'm4a')) {
    const sound = await trying(name, (path) =>
      kindOf(name) === 'mp3' ? readMp3(path, name) : readM4a(path, name),
    )
    // Keep only one embedded picture: up to thirty chapters can carry the same one.
    const seen = sounds.some(({ tags }) => tags.picture)
    if (sound) sounds.push(seen ? { ...sound, tags: { ...sound.tags, picture: undefined } } : sound)
  }
  const samples = sounds.filter(({ name }) => isSample(name))
  const files = sounds.filter((sound) => !samples.includes(sound))
  const m4bs = names.filter((name) => kindOf(name) === 'm4b')
  if (files.length === 0) {
    const parts: FoundSound[] = []
    for (const name of m4bs) {
      const into = await emptyFolder(reading)
      const told = chaptersFor(reading, name, m4bs.length === 1)
      parts.push(...((await trying(name, (path) => splitM4b(path, name, into, splitter, told))) ?? []))
    }
    return [...samples, ...parts]
  }
  for (const name of m4bs)
    warnings.push(`${name} is left out, because the folder has its chapters as files of their own.`)
  const parts: FoundSound[] = []
  for (const sound of files) parts.push(...(await atChapters(reading, sound, files.length === 1)))
  return [...samples, ...parts]
}

async function atChapters(
  reading: ReadingSounds,
  sound: FoundSound,
  isOnly: boolean,
): Promise<readonly FoundSound[]> {
  const told = chaptersFor(reading, sound.name, isOnly).filter(
    ({ startSeconds }) => startSeconds * 1000 < sound.durationMs,
  )
  const [first, second] = told
  if (first && !second) return [{ ...sound, tags: { ...sound.tags, title: first.title ?? sound.tags.title } }]
  if (!second) return [sound]
  try {
    return await splitSound(sound, await emptyFolder(reading), told, reading.splitter)
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    reading.warnings.push(`${sound.name} ${error.reasons.join(' ')}. It is one chapter.`)
    return [sound]
  }
}

/** `metadata.json` describes all sound together, a cue sheet one file; `book.json` replaces both. */
function chaptersFor(
  { book, beside }: Pick<ReadingSounds, 'book' | 'beside'>,
  name: string,
  isOnly: boolean,
): readonly FoundChapter[] {
  if (book?.audiobook?.chapters) return []
  if (isOnly && beside.chapters.length > 1) return apart(beside.chapters)
  const cues = [...beside.cues]
  const own = cues.find(([file]) => file.toLowerCase() === basename(name).toLowerCase())
  // The sheet may name the WAV file from which this file was encoded.
  return apart((own ?? (isOnly && cues.length === 1 ? cues[0] : undefined))?.[1] ?? [])
}

/** The sound between chapters that begin together would be empty. */
const apart = (chapters: readonly FoundChapter[]): readonly FoundChapter[] =>
  chapters.filter(
    ({ startSeconds }, index) =>
      index === 0 || startSeconds - chapters[index - 1]!.startSeconds >= SHORTEST_SECONDS,
  )
const SHORTEST_SECONDS = 0.2

const emptyFolder = ({ work }: Pick<ReadingSounds, 'work'>): Promise<string> =>
  mkdtemp(join(work ?? tmpdir(), 'murmur-import-'))
