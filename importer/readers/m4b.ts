import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FoundChapter, FoundSound } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { readM4a, readMp3 } from './sound.ts'
import { errorCode } from '#server/log/error-code.ts'

const run = promisify(execFile)
/** Bytes; the chapter list of a title is a few kilobytes of JSON. */
const MOST_OUTPUT = 32 * 1024 * 1024

export interface Splitter {
  readonly ffmpeg: string
  readonly ffprobe: string
}
export const INSTALLED: Splitter = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }

/** The same file always gives the same bytes. @throws `ImportRefused` if ffmpeg is missing or the file is not an M4B */
export async function splitM4b(
  path: string,
  name: string,
  folder: string,
  splitter: Splitter = INSTALLED,
  told: readonly FoundChapter[] = [],
): Promise<FoundSound[]> {
  const whole = await readM4a(path, name).catch(() => undefined)
  const inside = told.filter(({ startSeconds }) => !whole || startSeconds * 1000 < whole.durationMs)
  if (inside.length > 0) return cut({ path, name, folder, splitter, whole, type: M4A }, spansOf(inside))
  const chapters = await chaptersOf(splitter.ffprobe, path)
  const all = chapters.length > 0 ? chapters : [{ start: undefined, end: undefined, title: undefined }]
  return cut({ path, name, folder, splitter, whole, type: M4A }, all)
}

export const splitSound = (
  whole: FoundSound,
  folder: string,
  told: readonly FoundChapter[],
  splitter: Splitter = INSTALLED,
): Promise<FoundSound[]> =>
  cut(
    {
      path: whole.path,
      name: whole.name,
      folder,
      splitter,
      whole,
      type: whole.extension === 'mp3' ? MP3 : M4A,
    },
    spansOf(told),
  )

interface Type {
  readonly extension: 'mp3' | 'm4a'
  readonly options: readonly string[]
  readonly read: (path: string, name: string) => Promise<FoundSound>
}
const M4A: Type = { extension: 'm4a', options: ['-movflags', '+faststart', '-f', 'ipod'], read: readM4a }
// Omit ffmpeg's Xing header: it would contain an estimated length.
const MP3: Type = {
  extension: 'mp3',
  options: ['-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3'],
  read: readMp3,
}

interface Cutting {
  readonly path: string
  readonly name: string
  readonly folder: string
  readonly splitter: Splitter
  readonly whole: FoundSound | undefined
  readonly type: Type
}

async function cut(
  { path, name, folder, splitter, whole, type }: Cutting,
  spans: readonly Chapter[],
): Promise<FoundSound[]> {
  const sounds: FoundSound[] = []
  for (const [index, { start, end, title }] of spans.entries()) {
    const number = String(index + 1).padStart(4, '0')
    const part = join(folder, `${number}.${type.extension}`)
    const span = [...(start === undefined ? [] : ['-ss', start]), ...(end === undefined ? [] : ['-to', end])]
    await programme(splitter.ffmpeg, [
      ...['-nostdin', '-v', 'error', '-y', ...span, '-i', path, '-map', '0:a:0', '-c', 'copy'],
      // Omit timestamps, so that a second import produces the same bytes.
      ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
      ...[...type.options, part],
    ])
    const sound = await type.read(part, `${name}#${number}`)
    const tags = { ...(whole?.tags ?? sound.tags), title, track: undefined, disc: undefined }
    sounds.push({ ...sound, tags })
  }
  return sounds
}

/** The first span includes what comes before it. */
const spansOf = (chapters: readonly FoundChapter[]): Chapter[] =>
  chapters.map(({ startSeconds, title }, index) => ({
    start: index === 0 ? '0.000000' : startSeconds.toFixed(6),
    end: chapters[index + 1]?.startSeconds.toFixed(6),
    title,
  }))

interface Chapter {
  readonly start: string | undefined
  readonly end: string | undefined
  readonly title: string | undefined
}

async function chaptersOf(ffprobe: string, path: string): Promise<Chapter[]> {
  const output = await programme(ffprobe, ['-v', 'error', '-print_format', 'json', '-show_chapters', path])
  const told: { chapters?: { start_time: string; end_time: string; tags?: { title?: string } }[] } =
    JSON.parse(output)
  const { chapters = [] } = told
  return chapters
    .filter(({ start_time, end_time }) => Number(end_time) - Number(start_time) > 0)
    .map(({ start_time, end_time, tags }) => ({
      start: start_time,
      end: end_time,
      title: tags?.title?.replaceAll('\0', '').trim() || undefined,
    }))
}

async function programme(name: string, options: readonly string[]): Promise<string> {
  try {
    return (await run(name, options, { maxBuffer: MOST_OUTPUT })).stdout
  } catch (error) {
    if (errorCode(error) === 'ENOENT')
      throw new ImportRefused(
        'cannot be split at its chapters: ffmpeg is not installed on this machine; install it and import again',
      )
    throw new ImportRefused('cannot be split: it holds no sound that ffmpeg can read')
  }
}
