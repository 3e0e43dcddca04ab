import { searchMatcher } from 'foliate-js/search.js'
import { textWalker } from 'foliate-js/text-walker.js'
import type { View } from 'foliate-js/view.js'
import { FOUND_AT_MOST, type FoundWords } from './model.ts'

/**
 * Looks through the whole book, section by section, in whatever case and with whatever accents, and tells what it has so far.
 * Ends early when `signal` is aborted. Foliate's own search would frame every hit on the page.
 */
export async function findWords(
  view: View,
  query: string,
  onFound: (found: readonly FoundWords[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const found: FoundWords[] = []
  const matches = searchMatcher(textWalker, { defaultLocale: view.language.canonical ?? 'en' })
  for (const [index, section] of view.book.sections.entries()) {
    const doc = await section.createDocument?.()
    if (signal.aborted) return
    if (!doc) continue
    for (const { range, excerpt } of matches(doc, query)) {
      found.push({
        locator: view.getCFI(index, range),
        chapter: view.getProgressOf(index, range).tocItem?.label?.trim() ?? '',
        ...{ before: excerpt.pre, words: excerpt.match, after: excerpt.post },
      })
      if (found.length >= FOUND_AT_MOST) return onFound(found)
    }
    onFound([...found])
  }
}
