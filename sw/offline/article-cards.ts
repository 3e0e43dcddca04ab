import type { EditorialCard, Murmuration } from '#contract/editorial.ts'

/** Lower-cases titles as the database does when it compares them. */
export const byTitle = (one: string, other: string): number => {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  return first < second ? -1 : first > second ? 1 : 0
}

export const newestFirst = (cards: readonly EditorialCard[]): EditorialCard[] =>
  [...cards].sort(
    (one, other) =>
      (one.publishedAt < other.publishedAt ? 1 : one.publishedAt > other.publishedAt ? -1 : 0) ||
      other.id - one.id,
  )

/** Nests the piece under the name of its kind (ENT-04). */
export const murmurationOf = (card: EditorialCard): Murmuration => ({
  '@id': `/api/murmurations/${card.id}`,
  '@type': 'Murmuration',
  article: card.entityType === 'article' ? card : null,
  interview: card.entityType === 'interview' ? card : null,
  discussion: card.entityType === 'discussion' ? card : null,
})
