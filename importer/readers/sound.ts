import { type IAudioMetadata, parseFile } from 'music-metadata'
import { fingerprint } from '#server/integrations/media/files.ts'
import type { FoundSound, SoundTags } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { type FoundSeries, seriesNamed } from '#server/features/catalogue/series-names.ts'
import { Mp3Measure } from './mp3-length.ts'

/** A larger share of stray bytes means that the MP3 is damaged. */
const MOST_STRAY = 0.05
/** A file may lack a frame or two at its end; one that lacks more was truncated. */
const LEAST_OF_PROMISE = 0.98
const SHORTEST_MS = 100

/** @throws `ImportRefused` if the file is not an MP3 or is damaged */
export async function readMp3(path: string, name: string): Promise<FoundSound> {
  const measure = new Mp3Measure()
  const file = await fingerprint(path, (piece) => measure.push(piece))
  const length = measure.end()
  if (!length || length.durationMs < SHORTEST_MS) throw new ImportRefused('is not MP3 sound')
  if (length.strayBytes > MOST_STRAY * file.bytes)
    throw new ImportRefused('is damaged: much of it is not sound')
  if (length.promisedMs !== undefined && length.durationMs < LEAST_OF_PROMISE * length.promisedMs)
    throw new ImportRefused(
      `is cut short: ${seconds(length.durationMs)} of ${seconds(length.promisedMs)} are there`,
    )
  // A broken tag is no reason to refuse intact sound.
  const read = await parseFile(path, { duration: false }).catch(() => undefined)
  const tags = read ? tagsOf(read) : NO_TAGS
  return { name, path, ...file, extension: 'mp3', durationMs: length.durationMs, tags }
}

/** AAC in an MP4 file, whose index contains the length of every packet. */
export async function readM4a(path: string, name: string): Promise<FoundSound> {
  const read = await parseFile(path, { duration: true }).catch(() => undefined)
  const duration = read?.format.duration
  if (!read || !duration || duration * 1000 < SHORTEST_MS || !read.format.codec?.includes('AAC'))
    throw new ImportRefused('is not AAC sound')
  const file = await fingerprint(path)
  return {
    name,
    path,
    ...file,
    extension: 'm4a',
    durationMs: Math.round(duration * 1000),
    tags: tagsOf(read),
  }
}

export const NO_TAGS: SoundTags = {
  title: undefined,
  album: undefined,
  artists: [],
  narrators: [],
  track: undefined,
  disc: undefined,
  year: undefined,
  description: undefined,
  publisher: undefined,
  series: [],
  picture: undefined,
}

function tagsOf({ common, native }: IAudioMetadata): SoundTags {
  return {
    title: clean(common.title),
    album: clean(common.album),
    artists: names(common.albumartist ? [common.albumartist] : (common.artists ?? [])),
    narrators: names(common.composer ?? []),
    track: common.track.no ?? undefined,
    disc: common.disk.no ?? undefined,
    year: common.year,
    description: clean(common.description?.[0]),
    publisher: clean(common.label?.[0]),
    series: seriesIn(common, native),
    picture: common.picture?.find(({ format }) => /jpe?g|png/i.test(format))?.data,
  }
}

/** From the first of: SERIES and SERIES-PART (audiobook taggers), the movement (Apple), a grouping with a number. */
function seriesIn(common: IAudioMetadata['common'], native: IAudioMetadata['native']): FoundSeries[] {
  const own = (name: RegExp) =>
    Object.values(native)
      .flat()
      .filter(({ id, value }) => name.test(id) && typeof value === 'string')
      .map(({ value }) => clean(String(value)))[0]
  const name = own(/(?:^|:)series$/i)
  if (name) return [{ ...seriesNamed(name), ...numbered(own(/(?:^|:)series[-_ ]?part$/i)) }]
  const movement = clean(common.movement)
  if (movement) return [{ name: movement, ...numbered(common.movementIndex.no?.toString()) }]
  const grouping = seriesNamed(clean(common.grouping) ?? '')
  return grouping.number === undefined ? [] : [grouping]
}

const numbered = (number: string | undefined) => (number === undefined ? {} : { number })

const clean = (text: string | undefined): string | undefined =>
  // PostgreSQL cannot store a zero byte, and old taggers pad with them.
  text?.replaceAll('\0', '').trim() || undefined

const names = (list: readonly string[]): string[] =>
  list.flatMap((entry) => entry.split(/\s*[;/]\s*|\s+&\s+/)).flatMap((name) => clean(name) ?? [])

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
