import type { Weight } from '#contract/calculations/search-document.ts'

export type TextMatch = (words: ReadonlyMap<string, Weight>) => boolean

/**
 * Parses a text query from `text-query.ts` as PostgreSQL does: terms such as `'lamp':*AB` joined by `&`, some of them two
 * alternatives in brackets. Device and server can then use the same queries.
 */
export function textMatch(query: string): TextMatch {
  const terms = splitOutside(query).map((part) =>
    part
      .replaceAll(/^\(|\)$/g, '')
      .split(' | ')
      .map(termOf),
  )
  return (words) => terms.every((choices) => choices.some((fits) => fits(words)))
}

/** Splits at every `&`. Quoted words contain only letters and digits, so no `&` is inside quotation marks. */
const splitOutside = (query: string) => query.split(' & ').map((part) => part.trim())

function termOf(term: string): TextMatch {
  const [, word = '', isBeginning, weights = ''] = /^'([^']*)'(?::(\*?)([A-D]*))?$/.exec(term) ?? []
  const hasWeight = (weight: Weight) => weights === '' || weight === 'key' || weights.includes(weight)
  if (!isBeginning)
    return (words) => {
      const weight = words.get(word)
      return weight !== undefined && hasWeight(weight)
    }
  return (words) => {
    for (const [each, weight] of words) if (each.startsWith(word) && hasWeight(weight)) return true
    return false
  }
}
