import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'
import { vectorOf } from './search-document.ts'
import { textQuery } from './text-query.ts'
import { titleKey, wordsOf, wordsOfHtml } from './search-words.ts'
import { fc } from '#tests/support/random.ts'

test('words are compared without case, accents, marks and apostrophes', () => {
  expect(wordsOf('Émile’s SØREN — Straße, Zoë & “Łódź” (1984)')).toEqual([
    'emiles',
    'soren',
    'strasse',
    'zoe',
    'lodz',
    '1984',
  ])
  expect(wordsOfHtml('<p>Salt&nbsp;and <em>rope</em></p>')).toEqual(['salt', 'and', 'rope'])
  expect(titleKey(wordsOf('The Harbour Light'))).toBe('=harbour light')
  expect(titleKey(['the'])).toBe('=the')
})

test('SEARCH-01: a keyword of two characters is not searched, one of three is', () => {
  expect(textQuery('ha')).toBeNull()
  expect(textQuery('  ha ')).toBeNull()
  expect(textQuery('...')).toBeNull()
  expect(textQuery('har')?.found).toBe("'har':*")
})

test('small words and a single letter at the end are ignored, unless there is nothing else', () => {
  expect(textQuery('the wind in the w')?.found).toBe("'wind':*")
  expect(textQuery('from')?.found).toBe("'from':*")
})

test('a plural matches its singular by prefix; for irregular plurals both forms are searched', () => {
  expect(textQuery('boxes')?.found).toBe("'box':*")
  expect(textQuery('houses')?.found).toBe("'house':*")
  expect(textQuery('glass')?.found).toBe("'glass':*")
  expect(textQuery('stories')?.found).toBe("('storie':* | 'story')")
  expect(textQuery('sea story')?.found).toBe("'sea':* & ('story':* | 'stories')")
  expect(textQuery('story')?.tiers.at(-1)).toBe("('story':*ABC | 'stories':ABC)")
})

test('a document contains each word once, with its highest weight', () => {
  const document = {
    id: 1,
    title: 'The Quay',
    people: 'Ann Quay',
    subjects: 'sea',
    body: '<p>Ann at sea</p>',
  }
  expect(vectorOf(document)).toBe("'=quay' 'the':1A 'quay':1A 'ann':1B 'sea':1C 'at':1")
})

test('an edit is an insertion, a deletion, a substitution or a transposition', () => {
  expect(editDistance('harbour', 'harbour', 2)).toBe(0)
  expect(editDistance('habour', 'harbour', 2)).toBe(1)
  expect(editDistance('harrbour', 'harbour', 2)).toBe(1)
  expect(editDistance('harbeur', 'harbour', 2)).toBe(1)
  expect(editDistance('hrabour', 'harbour', 2)).toBe(1)
  expect(editDistance('ferry', 'harbour', 2)).toBe(3)
})

test('no text produces a word that is too long for the database or contains a quotation mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(wordsOf(text).filter((word) => !/^[\p{L}\p{N}]{1,40}$/u.test(word))).toEqual([])
    }),
  )
})
