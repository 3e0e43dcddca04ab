import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Caption } from '#server/db/schema/in-step.ts'
import type { FoundSound } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { decodeCell, wideEncodingOf } from '../catalogue/csv.ts'

/** Bytes. An hour of captions has about 100 kB, with a time for each word five times as much. */
const LARGEST = 5_000_000

/**
 * Adds the WebVTT or SRT file of the same name to each sound: `01.vtt`, `01.srt`, `01.en.vtt` or `01.mp3.vtt` beside
 * `01.mp3`. Captions of a file that was split go to its chapters. Unusable ones are reported in `warnings`.
 */
export async function withCaptions(
  folder: string,
  names: readonly string[],
  sounds: readonly FoundSound[],
  warnings: string[],
): Promise<FoundSound[]> {
  const found = [...sounds]
  for (const name of names.filter((each) => /\.(?:vtt|srt)$/i.test(each))) {
    const parts = sounds.filter((sound) => belongTogether(name, sound.name.replace(/#\d+$/, '')))
    if (parts.length === 0) {
      warnings.push(`${name} is left out: no sound has its name.`)
      continue
    }
    if (found.some(({ captions, sha256 }) => captions && parts.some((part) => part.sha256 === sha256))) {
      warnings.push(`${name} is left out: ${parts[0]!.name.replace(/#\d+$/, '')} has captions already.`)
      continue
    }
    try {
      const captions = await readCaptions(join(folder, name))
      const length = parts.reduce((sum, { durationMs }) => sum + durationMs, 0) / 10
      const last = captions.at(-1)!
      if (last[0] >= length)
        throw new ImportRefused(`the caption “${last[2].slice(0, 60)}” starts after the sound has ended`)
      let from = 0
      for (const part of parts) {
        const to = from + part.durationMs / 10
        const own = captions
          .filter(([start]) => start >= from && start < to)
          .map(([start, end, words]): Caption => {
            const shift = (time: number) => Math.round(Math.min(time, to) - from)
            return [shift(start), shift(end), words]
          })
        if (own.length > 0)
          found[sounds.indexOf(part)] = { ...part, captions: { fileName: name, captions: own } }
        from = to
      }
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error
      warnings.push(`${name} is left out: ${error.reasons.join(' ')}.`)
    }
  }
  return found
}

const withoutEnding = (name: string): string =>
  name.slice(0, name.length - extname(name).length).toLowerCase()

function belongTogether(captions: string, sound: string): boolean {
  const name = withoutEnding(captions)
  const stem = withoutEnding(sound)
  return (
    name === stem || name === sound.toLowerCase() || name.replace(/\.[a-z]{2}(?:-[a-z]{2})?$/, '') === stem
  )
}

async function readCaptions(path: string): Promise<Caption[]> {
  if ((await stat(path)).size > LARGEST) throw new ImportRefused('it is too large for captions')
  const bytes = await readFile(path)
  const wide = wideEncodingOf(bytes)
  return captionsOf(wide ? new TextDecoder(wide).decode(bytes) : decodeCell(bytes).text)
}

const TIME = String.raw`(?:(\d+):)?([0-5]\d):([0-5]\d)[.,](\d{1,3})`
const TIMES = new RegExp(String.raw`^\s*${TIME}\s+-->\s+${TIME}(?:\s|$)`)
const INSIDE = new RegExp(String.raw`<${TIME}>`)

/**
 * WebVTT and SRT alike: blocks between empty lines, each with a line of times and then its words. Times within a
 * caption, which some programs write before each word, begin a caption of their own. @throws `ImportRefused`
 */
function captionsOf(text: string): Caption[] {
  const captions: Caption[] = []
  let last = 0
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const times = TIMES.exec(line)
    if (!times) {
      if (line.includes('-->'))
        throw new ImportRefused(`line ${at + 1} is no time: ${line.trim().slice(0, 60)}`)
      continue
    }
    const start = hundredths(times.slice(1, 5))
    const end = hundredths(times.slice(5, 9))
    if (end < start) throw new ImportRefused(`line ${at + 1} ends before it starts`)
    if (start < last) throw new ImportRefused(`line ${at + 1} starts before the one above`)
    last = start
    const words: string[] = []
    while (lines[at + 1]?.trim()) words.push(lines[++at]!)
    captions.push(...timedParts(start, end, words.join(' ')))
  }
  if (captions.length === 0) throw new ImportRefused('it holds no captions')
  return captions
}

function timedParts(start: number, end: number, words: string): Caption[] {
  // Text and the four groups of each time in turn.
  const pieces = words.split(INSIDE)
  const parts: { start: number; words: string }[] = []
  for (let at = 0; at < pieces.length; at += 5) {
    const before = parts.at(-1)?.start ?? start
    const own = at === 0 ? start : hundredths(pieces.slice(at - 4, at))
    parts.push({ start: Math.min(end, Math.max(before, own)), words: spoken(pieces[at]!) })
  }
  return parts
    .map((part, index): Caption => [part.start, parts[index + 1]?.start ?? end, part.words])
    .filter(([, , said]) => said !== '')
}

const hundredths = ([hours = '0', minutes, seconds, fraction = '0']: readonly (
  | string
  | undefined
)[]): number =>
  Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`)) * 100)

/** Without markup (`<i>`, `<v Nell>`, SRT’s `{\an8}`) and entities. */
const spoken = (words: string): string =>
  words
    .replaceAll(/<[^>]*>|\{\\[^}]*\}/g, '')
    .replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim()

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }
