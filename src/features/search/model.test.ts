import { expect, test } from 'vitest'
import { keywordIn, kindsIn, markedWords, otherMatch, peopleNamed, sortIn, toggledKind } from './model.ts'

test('SEARCH-01: nothing of two characters or fewer is looked for', () => {
  expect(keywordIn('ha')).toBeNull()
  expect(keywordIn(' ha  ')).toBeNull()
  expect(keywordIn(undefined)).toBeNull()
  expect(keywordIn('har')).toBe('har')
  expect(keywordIn(' harbour light ')).toBe('harbour light')
  // Two letters, though JavaScript counts four units.
  expect(keywordIn('𝒽𝒶')).toBeNull()
})

test('SEARCH-09: the order is by relevance, or by name where the address says so', () => {
  expect(sortIn(undefined)).toBe('relevance')
  expect(sortIn('price')).toBe('relevance')
  expect(sortIn('name')).toBe('name')
})

test('SEARCH-17: types are taken in and out by their id, in one order', () => {
  expect(kindsIn('discussions,nonsense,articles')).toEqual(['articles', 'discussions'])
  expect(toggledKind(['discussions'], 'articles')).toEqual(['articles', 'discussions'])
  expect(toggledKind(['articles', 'discussions'], 'articles')).toEqual(['discussions'])
})

test('a book found by neither title nor author says what else has the word', () => {
  const person = (fullName: string) =>
    ({ '@type': 'Person', id: 1, firstName: '', lastName: '', fullName, slug: '' }) as never
  const book = {
    title: 'Salt Road Letters',
    authors: [person('Nadim Okafor')],
    narrators: [person('Josiah Penn')],
    category: { name: 'Memoir' } as never,
    publisher: { name: 'Unwritten Press' } as never,
  }
  expect(otherMatch(book, 'salt')).toBeUndefined()
  expect(otherMatch(book, 'okafor')).toBeUndefined()
  expect(otherMatch(book, 'josiah')).toBe('Read by Josiah Penn')
  expect(otherMatch(book, 'memoir')).toBe('Memoir')
  expect(otherMatch(book, 'unwritten')).toBe('Published by Unwritten Press')
  // In its summary, which a card doesn't have.
  expect(otherMatch(book, 'mules')).toBeUndefined()
})

test('marks words that begin with a typed word, regardless of accents, but not small words', () => {
  const marked = (text: string, keyword: string) =>
    markedWords(text, keyword).flatMap(({ words, isMarked }) => (isMarked ? [words] : []))
  expect(marked('The Harbour’s End, by Zoë Harb', 'the harb')).toEqual(['Harbour’s', 'Harb'])
  expect(marked('Zoë Tarrant', 'zoe')).toEqual(['Zoë'])
  expect(
    markedWords('Peat, 2 h', 'salt')
      .map(({ words }) => words)
      .join(''),
  ).toBe('Peat, 2 h')
})

test('people whose whole keyword is in their name are found among the books, once, with what they do', () => {
  const person = (fullName: string, slug: string | null = fullName) => ({
    firstName: '',
    lastName: '',
    fullName,
    slug,
  })
  const tarrant = person('Imogen Tarrant', 'imogen-tarrant')
  const books = [
    { authors: [tarrant], narrators: [person('Hollis Grange')] },
    { authors: [person('Tarrant Moss', null)], narrators: [tarrant] },
  ]
  expect(peopleNamed(books, 'tarrant')).toEqual([
    { slug: 'imogen-tarrant', name: 'Imogen Tarrant', works: 'Author and narrator', books },
  ])
  expect(peopleNamed(books, 'grange')).toMatchObject([{ name: 'Hollis Grange', works: 'Narrator' }])
  expect(peopleNamed(books, 'imogen ledger')).toEqual([])
})
