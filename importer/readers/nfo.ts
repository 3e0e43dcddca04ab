import type { Described } from '../described.ts'
import { namesIn } from '../names.ts'

const LISTED = /\s*[,;/]\s*/

/**
 * Reads an `.nfo` in the usual layout of audiobook rips: lines such as `Narrator: Wren Castellan`, and the description
 * below a heading. ASCII art is ignored.
 */
export function describeNfo(nfo: string): Described {
  const said = new Map<string, string>()
  const description: string[] = []
  let isDescription = false
  for (const line of nfo.split(/\r?\n/)) {
    const bare = line.replace(/^[\s*|]+|[\s*|]+$/g, '')
    if (/^(?:book |publisher'?s )?(?:description|summary)\s*:?$/i.test(bare)) isDescription = true
    else if (isDescription) {
      if (/\p{L}/u.test(line) || bare === '') description.push(bare)
    } else {
      const [, key = '', value = ''] = /^([\p{L} .]+?)[\s.]*:\s*(.+)$/u.exec(bare) ?? []
      if (key && !said.has(key.toLowerCase())) said.set(key.toLowerCase(), value)
    }
  }
  const first = (...keys: readonly string[]) => keys.map((key) => said.get(key)).find((value) => value)
  const series = first('series name', 'series')
  const number = first('position in series', 'series position', 'book number')
  const [title, subtitle] = (first('title', 'book title') ?? '').split(/:\s+/, 2)
  return {
    title: title || undefined,
    subtitle: first('subtitle') ?? subtitle,
    authors: namesIn(first('author', 'authors', 'written by') ?? ''),
    narrators: namesIn(first('narrator', 'narrators', 'read by', 'narrated by') ?? ''),
    publisher: first('publisher'),
    published: /\b\d{4}\b/.exec(
      first('book copyright', 'copyright', 'release date', 'date', 'year', 'recording copyright') ?? '',
    )?.[0],
    language: first('language'),
    series: series ? [{ name: series, number }] : [],
    tags: (first('genre', 'genres') ?? '').split(LISTED).filter(Boolean),
    description: description.join('\n').trim() || undefined,
  }
}
