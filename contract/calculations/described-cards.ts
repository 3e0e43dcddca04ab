import type { BookCard, BookQuery } from '../catalogue.ts'
import { firstSentence, plainText } from './plain-text.ts'

/** Lists of a person's titles say what each is about. */
export const isListOfPerson = (query: Pick<BookQuery, 'authors[]' | 'narrators[]'>): boolean =>
  Boolean(query['authors[]']?.length || query['narrators[]']?.length)

/** @param summaryOf the description of a title as HTML, by its id */
export const describedCards = (
  cards: readonly BookCard[],
  summaryOf: (id: number) => string | undefined,
): BookCard[] =>
  cards.map((card) => {
    const about = firstSentence(plainText(summaryOf(card.id) ?? ''))
    return about ? { ...card, about } : card
  })
