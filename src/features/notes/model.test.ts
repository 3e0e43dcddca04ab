import { expect, test } from 'vitest'
import type { Bookmark, Highlight } from '#storage/places-db.ts'
import { exportNotes } from './export.ts'
import { findNotes, notesByBook, type NamesOf } from './model.ts'

const day = Date.parse('2026-11-03T08:42:00Z')
const bookmark = (part: Partial<Bookmark>): Bookmark => ({
  ...{ id: 'b1', slug: 'salt', chapter: 2, seconds: 42, note: '', madeAtMs: day },
  ...part,
})
const highlight = (part: Partial<Highlight>): Highlight => ({
  ...{ id: 'h1', slug: 'salt', locator: 'epubcfi(/6/4!/4/2,/1:3,/1:9)', share: 0.25, chapter: 'Mild' },
  ...{ quote: 'The *second* ledger', note: 'Who wrote it?', madeAtMs: day + 1000 },
  ...part,
})
const namesOf: NamesOf = (kind, slug) =>
  slug === 'salt'
    ? {
        title: 'The Salt Ledger',
        authors: 'Imogen Tarrant',
        chapters: kind === 'bookmark' ? { 2: 'Two sets of books' } : {},
      }
    : undefined

const books = () =>
  notesByBook(
    [bookmark({}), bookmark({ id: 'b2', chapter: 1, seconds: 5, note: 'Señor Ruiz’s\n# name' })],
    [highlight({}), highlight({ id: 'h2', slug: 'far-hills', chapter: '', note: '', madeAtMs: day - 1000 })],
    namesOf,
  )

test('listening: notes are grouped by book in book order, the most recently marked book first', () => {
  expect(books().map(({ key, title, notes }) => [key, title, notes.map(({ where }) => where)])).toEqual([
    ['ebook/salt', 'The Salt Ledger', ['Mild']],
    ['audio/salt', 'The Salt Ledger', ['Chapter 1, 0:05', 'Two sets of books, 0:42']],
    ['ebook/far-hills', 'Far hills', ['25% of the book']],
  ])
})

test('listening: notes are found by words of note, quote, place, title and author, and by book', () => {
  const ids = (words: string, book = '') =>
    findNotes(books(), { words, book }).flatMap(({ notes }) => notes.map(({ id }) => id))
  expect(ids("senor ruiz's")).toEqual(['b2'])
  expect(ids('LEDGER second')).toEqual(['h1', 'h2'])
  expect(ids('tarrant sets')).toEqual(['b1'])
  expect(ids('', 'audio/salt')).toEqual(['b2', 'b1'])
  expect(ids('nowhere')).toEqual([])
})

test('in step: a bookmark’s sentence is found, and is in the export', () => {
  const marked = notesByBook([bookmark({ sentence: 'Every cargo was weighed twice.' })], [], namesOf)
  expect(findNotes(marked, { words: 'cargo', book: '' })).toHaveLength(1)
  expect(exportNotes(marked, 'markdown').content).toContain('> Every cargo was weighed twice.')
  expect(JSON.parse(exportNotes(marked, 'json').content).books[0].notes[0].sentence).toBe(
    'Every cargo was weighed twice.',
  )
})

test('listening: notes of one book or all are exported as Markdown with escaped text', () => {
  const { name, type, content } = exportNotes(books().slice(0, 2), 'markdown')
  expect([name, type]).toEqual(['murmur-notes.md', 'text/markdown'])
  expect(content).toBe(`# The Salt Ledger

Imogen Tarrant

## Mild

> The \\*second\\* ledger

Who wrote it?

*3rd November 2026*

# The Salt Ledger

Imogen Tarrant

## Chapter 1, 0:05

Señor Ruiz’s  
\\# name

*3rd November 2026*

## Two sets of books, 0:42

*3rd November 2026*
`)
  expect(exportNotes(books().slice(2), 'markdown').name).toBe('murmur-notes-far-hills.md')
})

test('listening: in JSON a note has its place, its text and its time', () => {
  const { name, content } = exportNotes(books().slice(0, 1), 'json')
  expect(name).toBe('murmur-notes-salt.json')
  expect(JSON.parse(content)).toEqual({
    books: [
      {
        ...{ format: 'ebook', slug: 'salt', title: 'The Salt Ledger', authors: 'Imogen Tarrant' },
        notes: [
          {
            ...{ id: 'h1', where: 'Mild', quote: 'The *second* ledger', note: 'Who wrote it?' },
            ...{ locator: 'epubcfi(/6/4!/4/2,/1:3,/1:9)', share: 0.25, madeAt: '2026-11-03T08:42:01.000Z' },
          },
        ],
      },
    ],
  })
})
