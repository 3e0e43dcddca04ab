import { expect, test } from 'vitest'
import type { CardRow } from './queries.ts'
import { bookCard } from './serializers.ts'

const row: CardRow = {
  id: 1,
  format: 'audio_book',
  slug: 'a-book',
  title: 'A Book',
  price_minor: 1000,
  member_price_minor: null,
  sellable: true,
  blocked_countries: [],
  edition: false,
  second_edition: false,
  available_as_card: false,
  in_step: false,
  cover_id: null,
  placeholder: null,
  cover_alt: '',
  background_colour: null,
  container_colour: null,
  text_colour: null,
  length_minutes: null,
  pages: null,
  published: true,
  sample_id: null,
  sample_extension: null,
  sample_ms: null,
  style_id: null,
  style: null,
  category_id: null,
  category: null,
  category_visible: null,
  category_weight: null,
  publisher_id: null,
  publisher: null,
  publisher_slug: null,
  people: [],
  series: [],
  bookseller_words: null,
  bookseller_name: null,
}

test.each([
  [{ edition: true }, false, true],
  [{ second_edition: true }, false, true],
  [{}, false, false],
  [{ edition: true }, true, false],
  [{ edition: true, sellable: false }, false, false],
])('with a credit, a book with %o, in the library: %s, can be moved there: %s', (part, owned, expected) => {
  const card = (hasCredit: boolean) => bookCard({ ...row, ...part }, { countries: ['GB'], hasCredit }, owned)
  expect(card(true).moveToLibrary).toBe(expected)
  expect(card(false).moveToLibrary).toBe(false)
})
