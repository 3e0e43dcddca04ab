import type { Described } from '../described.ts'
import { namesIn } from '../names.ts'

/**
 * Reads folder names in Audiobookshelf's notation: `Author/Series/2 - Title`, `Author/Title`. In a deeper path the last
 * three folders count.
 *
 * @param path below the imported folder
 */
export function describePlace(path: string): Described {
  const folders = path.split('/').filter(Boolean)
  const own = (folders.pop() ?? '').replaceAll(/[_\s]+/g, ' ').trim()
  const series = folders.length > 1 ? folders.pop() : undefined
  const author = folders.pop()

  const withoutAsin = own.replace(/(?: |^)\[[A-Z0-9]{10}\](?= |$)/, '').trim()
  const [, unread = withoutAsin, narrators = ''] = /^(.*\S)\s*\{(.+)\}$/.exec(withoutAsin) ?? []
  const { number, rest } = series === undefined ? { number: undefined, rest: unread } : numberIn(unread)
  const [, year, title = rest] = /^\(?(\d{4})\)?\s+-\s+(.+)$/.exec(rest) ?? []
  return {
    title,
    published: year,
    authors: author === undefined ? [] : namesIn(author.replaceAll('_', ' ')),
    narrators: namesIn(narrators),
    series: series === undefined ? [] : [{ name: series.replaceAll('_', ' ').trim(), number }],
  }
}

/** `2 - Title`, `Vol. 3 Title`, `6. Title`, `1994 - Book 1.5 - Title`, `Title - Vol 12`; not `101 Nights`. */
function numberIn(name: string): { number: string | undefined; rest: string } {
  const parts = name.split(/\s+-\s+/)
  for (const [index, part] of parts.entries()) {
    const [, label, number, dot, more] = NUMBERED.exec(part) ?? []
    if (number === undefined || (more !== undefined && !label && !dot)) continue
    const rest = parts.with(index, more ?? '').filter(Boolean)
    if (rest.length > 0) return { number: String(Number(number)), rest: rest.join(' - ') }
  }
  return { number: undefined, rest: name }
}

const NUMBERED = /^(vol(?:ume)?\.? |book )?(\d{1,3}(?:\.\d{1,2})?)(\.?)(?: (.+))?$/i
