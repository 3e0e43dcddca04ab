import type { BookCard } from '#contract/catalogue.ts'
import { authorsOf, lengthOf, narratorsOf } from '#features/catalogue/model.ts'

/** "Orla Finnegan, read by Cathal Brey. 4 h 26 m", as far as the catalogue knows. */
export function cardFacts(book: BookCard): string {
  const narrators = narratorsOf(book)
  const people = [authorsOf(book), narrators && `read by ${narrators}`].filter(Boolean).join(', ')
  return [people, lengthOf(book).replaceAll(' ', '\u00a0')].filter(Boolean).join('. ')
}
