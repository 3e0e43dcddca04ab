import { isbnIn } from '../catalogue/isbn.ts'
import type { Described } from '../described.ts'
import type { FoundChapter } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { seriesNamed } from '../series-names.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Reads the `metadata.json` that Audiobookshelf stores in a title's folder.
 *
 * @throws `ImportRefused` if it is not JSON
 */
export function describeMetadata(json: string): { described: Described; chapters: readonly FoundChapter[] } {
  const whole = objectOf(parsed(json)) ?? {}
  // Older releases nest everything except chapters in `metadata`.
  const given = objectOf(whole.metadata) ?? whole
  return {
    described: {
      title: textOf(given.title),
      subtitle: textOf(given.subtitle),
      authors: namesOf(given.authors),
      narrators: namesOf(given.narrators),
      publisher: textOf(given.publisher),
      published: textOf(given.publishedDate) ?? textOf(given.publishedYear),
      language: textOf(given.language),
      description: textOf(given.description),
      series: listOf(given.series).flatMap((series) => {
        const name = nameOf(series)
        const number = textOf(objectOf(series)?.sequence)
        return name ? [{ ...seriesNamed(name), ...(number ? { number } : {}) }] : []
      }),
      tags: [...namesOf(given.genres), ...namesOf(whole.tags ?? given.tags)],
      isbn: isbnIn(textOf(given.isbn)),
    },
    chapters: listOf(whole.chapters)
      .map((chapter) => objectOf(chapter) ?? {})
      .flatMap(({ start, title }) =>
        typeof start === 'number' && start >= 0 ? [{ startSeconds: start, title: textOf(title) }] : [],
      )
      .sort((one, two) => one.startSeconds - two.startSeconds),
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new ImportRefused('metadata.json cannot be read: it is not valid JSON.')
  }
}

const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).replaceAll('\0', '').trim() || undefined
    : undefined

const nameOf = (value: unknown): string | undefined => textOf(objectOf(value)?.name ?? value)
const namesOf = (value: unknown): string[] => listOf(value).flatMap((each) => nameOf(each) ?? [])
