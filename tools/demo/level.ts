import { spawnSync } from 'node:child_process'

export interface Tags {
  readonly title: string
  readonly album: string
  readonly artist: string
  /** The narrator; audiobook players read it from the composer. */
  readonly composer: string
  readonly track?: string
  readonly genre?: string
  readonly comment: string
}

/** The level that audiobook shops require for mono speech; low enough that no limiter is needed. */
const target = 'I=-19:TP=-2:LRA=11'
/** The engine sounds muffled; the treble shelf makes consonants clearer. */
const clean = 'highpass=f=55,treble=gain=4:frequency=3500'

/**
 * Writes speech as an MP3 with a constant 40 kbit/s at 22.05 kHz, normalised to -19 LUFS in two passes: the first
 * measures, the second applies one gain to the whole file, so quiet words stay quiet.
 */
export function writeMp3(pcm: Buffer, rate: number, tags: Tags, path: string) {
  const input = ['-f', 's16le', '-ar', String(rate), '-ac', '1', '-i', 'pipe:0']
  const measured = measure(
    ffmpeg([...input, '-af', `${clean},loudnorm=${target}:print_format=json`, '-f', 'null', '-'], pcm),
  )
  const level = `loudnorm=${target}:linear=true:${measured}`
  ffmpeg(
    [
      ...input,
      ...['-af', `${clean},${level},aresample=22050`, '-ac', '1', '-c:a', 'libmp3lame', '-b:a', '40k'],
      ...['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'],
      ...['-id3v2_version', '3', '-write_xing', '1'],
      ...metadata(tags),
      ...['-y', path],
    ],
    pcm,
  )
}

function measure(report: string) {
  const json: Record<string, string> = JSON.parse(
    report.slice(report.lastIndexOf('{'), report.lastIndexOf('}') + 1),
  )
  return [
    `measured_I=${json['input_i']}`,
    `measured_TP=${json['input_tp']}`,
    `measured_LRA=${json['input_lra']}`,
    `measured_thresh=${json['input_thresh']}`,
    `offset=${json['target_offset']}`,
  ].join(':')
}

function metadata({ title, album, artist, composer, track, genre = 'Audiobook', comment }: Tags) {
  const fields = { title, album, artist, composer, track, genre, comment }
  return Object.entries(fields).flatMap(([name, value]) => (value ? ['-metadata', `${name}=${value}`] : []))
}

function ffmpeg(args: readonly string[], input: Buffer): string {
  const { status, stderr } = spawnSync('ffmpeg', ['-hide_banner', ...args], {
    input,
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`ffmpeg failed: ${stderr.toString().slice(-600)}`)
  return stderr.toString()
}
