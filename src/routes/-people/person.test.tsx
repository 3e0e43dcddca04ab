// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { becomeVisitor } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { appAt, heading, listOf, shopAnswers } from '#tests/support/app.tsx'
import { aBook } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'

const della = { id: 4, slug: 'della-voss', firstName: 'Della', lastName: 'Voss', fullName: 'Della Voss' }
const none = { nationality: null, about: null, writtenAudioBooks: 0, writtenEBooks: 0, readAudioBooks: 0 }
const spoken = aBook(2, { sample: '/media/samples/2.mp3', sampleSeconds: 40 })

beforeEach(becomeVisitor)
afterEach(cleanup)

const piece = {
  entityType: 'article',
  id: 1,
  slug: 'a-flask-of-soup',
  title: 'A flask of soup',
  summary: '',
  image: null,
  author: null,
  type: null,
  publishedAt: '2026-03-02T08:00:00Z',
}

async function dellasPage(more: object, didYouMean: string | null = null) {
  const { asked } = shopAnswers({
    '/api/people/della-voss': { ...della, ...none, ...more },
    '/api/audio_books': listOf([aBook(1, { sample: null }), spoken]),
    '/api/quick_results': { books: [], articles: [{ article: piece }], articlesTotal: 1, didYouMean },
  })
  await appAt('/people/della-voss')
  await heading('Della Voss')
  await soon(() => expect(asked.map(({ path }) => path)).toContain('/api/quick_results'))
  await act(async () => {})
}

test('a narrator’s page has their portrait, two sentences, their voice, and their books with price and sample', async () => {
  await dellasPage({ about: 'She walks first.', readAudioBooks: 2 })
  const who = within(screen.getByRole('region', { name: 'Della Voss' }))
  expect(who.getByText('Narrator')).toBeTruthy()
  expect(who.getByText('She walks first.')).toBeTruthy()
  expect(who.getByText('Hear Della’s voice')).toBeTruthy()
  // The first of her books that has a sample.
  expect(who.getByRole('button', { name: 'Play a sample of Harbour 02' })).toBeTruthy()
  const books = within(screen.getByRole('region', { name: 'Read by Della' }))
  expect(books.getAllByRole('listitem')).toHaveLength(2)
  expect(books.getByRole('button', { name: 'Play a sample of Harbour 02' })).toBeTruthy()
})

test('a person without a text by the owner is not introduced, and only narrators have a voice sample', async () => {
  await dellasPage({ nationality: 'Irish', writtenAudioBooks: 2 })
  expect(screen.getByText('Irish author')).toBeTruthy()
  // Only search engines are given the numbers.
  expect(screen.queryByText(/^We have/)).toBeNull()
  const description = () => document.querySelector<HTMLMetaElement>('meta[name="description"]')?.content
  await soon(() => expect(description()).toBe('We have 2 audiobooks by Della Voss.'))
  expect(screen.queryByText(/^Hear .+ voice$/)).toBeNull()
})

test('an author’s e-book is named by the row of its audiobook, and one without an audiobook has a row of its own', async () => {
  const said = { words: 'Bring a lamp.', name: 'Ravi, evenings' }
  const eBook = (number: number, title: string) => ({
    ...aBook(number, { slug: `harbour-0${number}`, title }),
    entityType: 'eBook',
    pages: 312,
  })
  shopAnswers({
    '/api/people/della-voss': { ...della, ...none, writtenAudioBooks: 1, writtenEBooks: 2 },
    '/api/audio_books': listOf([aBook(2, { slug: 'harbour-02', bookseller: said })]),
    '/api/e_books': listOf([eBook(2, 'Harbour 02'), eBook(3, 'Only on paper')]),
    '/api/quick_results': { books: [], articles: [], articlesTotal: 0, didYouMean: null },
  })
  await appAt('/people/della-voss')
  await heading('Della Voss')
  const audio = within(await screen.findByRole('region', { name: 'Audiobooks' }))
  expect(audio.getByRole('link', { name: 'also an e-book' }).getAttribute('href')).toBe('/ebooks/harbour-02')
  expect(audio.getByText(/Bring a lamp/).textContent).toBe('“Bring a lamp.” Ravi, evenings')
  const eBooks = within(screen.getByRole('region', { name: 'E-books' }))
  expect(eBooks.getAllByRole('heading', { level: 3 }).map((each) => each.textContent)).toEqual([
    'Only on paper',
  ])
})

test('a row says what its title is about, or else what a bookseller says', async () => {
  const said = { words: 'Bring a lamp.', name: 'Ravi, evenings' }
  shopAnswers({
    '/api/people/della-voss': { ...della, ...none, writtenAudioBooks: 2 },
    '/api/audio_books': listOf([
      aBook(1, { about: 'A lamp goes out.', bookseller: said }),
      aBook(2, { bookseller: said }),
    ]),
    '/api/quick_results': { books: [], articles: [], articlesTotal: 0, didYouMean: null },
  })
  await appAt('/people/della-voss')
  const [described, other] = within(await screen.findByRole('region', { name: 'Audiobooks' })).getAllByRole(
    'listitem',
  )
  expect(within(described!).getByText('A lamp goes out.')).toBeTruthy()
  expect(within(described!).queryByText(/Bring a lamp/)).toBeNull()
  expect(within(other!).getByText(/Bring a lamp/)).toBeTruthy()
})

test('an author’s page plays a page of a book that one does not own yet, or else one’s own book', async () => {
  shopAnswers({
    '/api/people/della-voss': { ...della, ...none, writtenAudioBooks: 2 },
    '/api/audio_books': listOf([
      aBook(1, { slug: 'harbour-01', sample: '/media/samples/1.mp3' }),
      aBook(2, { slug: 'harbour-02', sample: '/media/samples/2.mp3' }),
    ]),
    '/api/quick_results': { books: [], articles: [], articlesTotal: 0, didYouMean: null },
  })
  onTestFinished(() => useOwnedTitles.setState(useOwnedTitles.getInitialState()))
  const own = (...slugs: string[]) =>
    act(() => useOwnedTitles.setState({ owned: new Set(slugs.map((slug) => titleKey('audio', slug))) }))
  own('harbour-01')
  await appAt('/people/della-voss')
  const who = within(await screen.findByRole('region', { name: 'Della Voss' }))
  expect(who.getByText('Hear a page')).toBeTruthy()
  expect(who.getByRole('button', { name: 'Play a sample of Harbour 02' })).toBeTruthy()
  own('harbour-01', 'harbour-02')
  expect(who.getByRole('button', { name: 'Play Harbour 01' })).toBeTruthy()
  expect(who.queryByText('Hear a page')).toBeNull()
})

test('the row of an audiobook says once that its e-book is in step with it', async () => {
  const inStep = { slug: 'harbour-02', inStep: true }
  shopAnswers({
    '/api/people/della-voss': { ...della, ...none, writtenAudioBooks: 1, writtenEBooks: 1 },
    '/api/audio_books': listOf([aBook(2, inStep)]),
    '/api/e_books': listOf([{ ...aBook(2, inStep), entityType: 'eBook', pages: 312 }]),
    '/api/quick_results': { books: [], articles: [], articlesTotal: 0, didYouMean: null },
  })
  await appAt('/people/della-voss')
  const audio = within(await screen.findByRole('region', { name: 'Audiobooks' }))
  expect(audio.getByRole('link', { name: 'also an e-book, in step' })).toBeTruthy()
  expect(audio.queryByText('In step')).toBeNull()
})

test('a person’s page ends with what the journal says about them, but not with pieces about a similar name', async () => {
  await dellasPage({ readAudioBooks: 2 })
  const journal = within(await screen.findByRole('region', { name: 'In the Journal' }))
  expect(journal.getByRole('link', { name: /A flask of soup/ }).getAttribute('href')).toBe(
    '/articles/a-flask-of-soup',
  )
  cleanup()
  await dellasPage({ readAudioBooks: 2 }, 'della foss')
  expect(screen.queryByRole('region', { name: 'In the Journal' })).toBeNull()
})
