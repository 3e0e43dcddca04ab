import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

/** The folder of real catalogues, which are not part of this repository (importer/README.md). */
const FOLDER = process.env.CATALOGUES
const LONGEST_TITLE = 160

export interface Records {
  readonly titles: readonly { readonly title: string; /** Index into `authors`. */ readonly author: number }[]
  readonly authors: readonly { readonly first: string; readonly last: string }[]
}

/** Titles and authors of the real catalogues, or undefined if `CATALOGUES` is not set. */
export function readRecords(): Records | undefined {
  if (!FOLDER || !existsSync(FOLDER)) return undefined
  const authors: Records['authors'][number][] = []
  const known = new Map<string, number>()
  const numberOf = (first: string, last: string) => {
    const key = `${first}|${last}`
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, authors.length)
    return authors.push({ first, last }) - 1
  }
  const titles = [
    ...rowsOf('librivox-catalogue').map((row) => ({
      title: row.title ?? '',
      author: numberOf(row.author_first ?? '', row.author_last ?? ''),
    })),
    ...rowsOf('gutenberg-catalogue').map((row) => {
      const [last = '', first = ''] = (row.author ?? '').split(', ')
      return { title: row.title ?? '', author: numberOf(first, last) }
    }),
  ].filter(({ title }) => title !== '' && title.length <= LONGEST_TITLE)
  return { titles, authors }
}

const rowsOf = (name: string): Record<string, string>[] =>
  parse(gunzipSync(readFileSync(`${FOLDER}/${name}.csv.gz`)), {
    columns: true,
    relax_column_count: true,
    relax_quotes: true,
  })
