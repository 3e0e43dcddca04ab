import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { ImportRefused } from '../refused.ts'
import type { Static, TSchema } from 'typebox'
import { jsonChecker, valueChecker } from '#server/settings/check-json.ts'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'

/** @throws `ImportRefused` if the file is not UTF-8 */
export async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    if (error instanceof TypeError) throw new ImportRefused('is not UTF-8 text; save it in that encoding.')
    throw error
  }
}

/** @throws `ImportRefused` if the path leaves the folder of that file */
export function besides(file: string, name: string): string {
  const folder = dirname(file)
  const path = join(folder, name)
  if (isAbsolute(name) || relative(folder, path).startsWith('..'))
    throw new ImportRefused(`“${name}” must lie beside the file.`)
  return path
}

/** @throws `ImportRefused` with one sentence per mistake, naming its line */
export async function readJson<S extends TSchema>(path: string, schema: S): Promise<Static<S>> {
  const read = jsonChecker(schema)(await readText(path))
  if ('mistakes' in read) throw new ImportRefused(...read.mistakes)
  return read.value
}

/** @throws `ImportRefused` (the validator) with one sentence per mistake, naming key and line */
export function checkerOf<S extends TSchema>(
  schema: S,
): (value: unknown, lines: ReadonlyMap<string, number>) => Static<S> {
  const check = valueChecker(schema)
  return (given, lines) => {
    const checked = check(given, () => lines)
    if ('mistakes' in checked) throw new ImportRefused(...checked.mistakes)
    return checked.value
  }
}

const london = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  dateStyle: 'short',
  timeStyle: 'short',
})

/** A date alone is midnight UTC. A time without a zone is London time; the server's zone is ignored. */
export function instantOf(text: string): Date | undefined {
  const [, day = '', hour, zone] = /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:]+)(.*))?$/.exec(text) ?? []
  const midnight = new Date(`${day}T00:00Z`)
  // JavaScript silently turns 31 February into 3 March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  if (hour === undefined) return midnight
  const instant = new Date(`${day}T${hour}${zone || 'Z'}`)
  if (Number.isNaN(instant.getTime())) return undefined
  return zone ? instant : new Date(instant.getTime() - aheadMs(instant))
}

/** `2026-12-02`, the day in London. */
export const londonDay = (at: Date): string => at.toLocaleDateString('sv-SE', { timeZone: 'Europe/London' })

/** In milliseconds: one hour in summer. During the hour of the change either value is acceptable. */
function aheadMs(instant: Date): number {
  const [, day, month, year, hour, minute] =
    /(\d+)\/(\d+)\/(\d+), (\d+):(\d+)/.exec(london.format(instant))?.map(Number) ?? []
  const shown = Date.UTC(year!, month! - 1, day, hour, minute)
  return shown - Math.floor(instant.getTime() / 60_000) * 60_000
}

export interface FrontMatter {
  readonly keys: unknown
  readonly body: string
  /** By JSON pointer. */
  readonly lines: ReadonlyMap<string, number>
}

const FENCED = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n([\s\S]*))?$/

/** @throws `ImportRefused` without front matter */
export function readFrontMatter(text: string): FrontMatter {
  const fenced = FENCED.exec(text.replaceAll('\r\n', '\n'))
  if (!fenced)
    throw new ImportRefused(
      'has no front matter at the top: a line of three hyphens, the keys, three hyphens again.',
    )
  const [, source = '', body = ''] = fenced
  const counter = new LineCounter()
  const document = parseDocument(source, { lineCounter: counter })
  const [fault] = document.errors
  if (fault) {
    const line = (fault.linePos?.[0].line ?? 1) + 1
    throw new ImportRefused(`line ${line}: ${fault.message.split(/ at line |\n/)[0]}.`)
  }
  const lines = new Map([['', 1]])
  const walk = (node: unknown, pointer: string): void => {
    if (isMap(node))
      for (const { key, value } of node.items) {
        if (!isScalar(key)) continue
        const below = `${pointer}/${String(key.value)}`
        lines.set(below, counter.linePos(key.range?.[0] ?? 0).line + 1)
        walk(value, below)
      }
    if (isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, `${pointer}/${index}`)
  }
  walk(document.contents, '')
  return { keys: document.toJS() ?? {}, body, lines }
}
