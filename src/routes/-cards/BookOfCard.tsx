import type { ComponentProps } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { CardTitle } from '#features/cards/CardTitle.tsx'
import { authorsOf, coverOf, lengthOf, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import { Cover } from '#ui/Cover.tsx'

interface BookOfCardProps extends Omit<ComponentProps<typeof CardTitle>, 'theme' | 'cover' | 'facts'> {
  book: BookCard
}

/** The book in a card, in its colours. */
export const BookOfCard = ({ book, ...words }: BookOfCardProps) => (
  <CardTitle
    theme={themeOf(book)}
    cover={<Cover picture={coverOf(book)} alt={book.coverAlt} sizes="(min-width: 768px) 460px, 66vw" hero />}
    facts={factsOf(book)}
    {...words}
  />
)

/** "Orla Finnegan, read by Cathal Brey. 4 h 26 m", as far as the catalogue knows. */
function factsOf(book: BookCard): string {
  const narrators = narratorsOf(book)
  const people = [authorsOf(book), narrators && `read by ${narrators}`].filter(Boolean).join(', ')
  return [people, lengthOf(book).replaceAll(' ', '\u00a0')].filter(Boolean).join('. ')
}
