import type { Highlight, HighlightAnswer } from '#contract/highlights.ts'
import type { HighlightRow } from './queries.ts'

export const highlightView = ({
  id,
  slug,
  locator,
  share,
  quote,
  chapter,
  note,
  madeAt,
  changedAt,
  eventId,
  deviceId,
}: HighlightRow): Highlight => ({
  '@id': `/api/user_highlights/${id}`,
  '@type': 'UserHighlight',
  id,
  eBook: `/api/e_books/${slug}`,
  locator,
  share,
  quote,
  chapter,
  note,
  madeAt: madeAt.toISOString(),
  changedAt: changedAt.toISOString(),
  eventId,
  deviceId,
})

export const highlightAnswer = (highlight: HighlightRow, now: Date): HighlightAnswer => ({
  '@context': '/api/contexts/UserHighlight',
  ...highlightView(highlight),
  serverTime: now.toISOString(),
})
