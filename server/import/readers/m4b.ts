import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FoundSound } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { readM4a } from './sound.ts'
import { codeOf } from '../../log/error-code.ts'

const run = promisify(execFile)
/** One title's chapters are a few kilobytes of JSON. */
const MOST_OUTPUT = 32 * 1024 * 1024

/** The programs that split a file; tests name others. */
export interface Splitter {
  readonly ffmpeg: string
  readonly ffprobe: string
}
export const INSTALLED: Splitter = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }

/**
 * Splits an M4B at its chapters without re-encoding, into files in `folder`. The same file always gives
 * the same bytes. Throws `ImportRefused` when ffmpeg is not installed or the file is not an M4B.
 */
export async function splitM4b(
  path: string,
  name: string,
  folder: string,
  { ffmpeg, ffprobe }: Splitter = INSTALLED,
): Promise<FoundSound[]> {
  const whole = await readM4a(path, name).catch(() => undefined)
  const chapters = await chaptersOf(ffprobe, path)
  const ends = chapters.length > 0 ? chapters : [{ start: undefined, end: undefined, title: undefined }]
  const sounds: FoundSound[] = []
  for (const [index, { start, end, title }] of ends.entries()) {
    const number = String(index + 1).padStart(4, '0')
    const part = join(folder, `${number}.m4a`)
    const span = start === undefined ? [] : ['-ss', start, '-to', end]
    await programme(ffmpeg, [
      ...['-nostdin', '-v', 'error', '-y', ...span, '-i', path, '-map', '0:a:0', '-c', 'copy'],
      // No time stamp in the file, so that a second import finds the same bytes.
      ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
      ...['-movflags', '+faststart', '-f', 'ipod', part],
    ])
    const sound = await readM4a(part, `${name}#${number}`)
    const tags = { ...(whole?.tags ?? sound.tags), title, track: undefined, disc: undefined }
    sounds.push({ ...sound, tags })
  }
  return sounds
}

interface Chapter {
  readonly start: string
  readonly end: string
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
    if (codeOf(error) === 'ENOENT')
      throw new ImportRefused('cannot be split at its chapters: ffmpeg is not installed on this machine')
    throw new ImportRefused('cannot be split: it holds no sound that ffmpeg can read')
  }
}
