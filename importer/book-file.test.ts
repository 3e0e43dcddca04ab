import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readBookFile } from './book-file.ts'
import { ImportRefused } from './refused.ts'

const reasons = (json: string): readonly string[] => {
  try {
    readBookFile(json)
  } catch (error) {
    if (error instanceof ImportRefused) return error.reasons
    throw error
  }
  return []
}

describe('book.json', () => {
  test('may be empty, and null counts as absent', () => {
    expect(readBookFile('{}')).toEqual({})
    expect(
      readBookFile('\uFEFF{ "title": "Peat", "style": null, "ebook": { "memberPrice": null } }'),
    ).toEqual({
      title: 'Peat',
      ebook: {},
    })
  })

  test('reports an unknown key with its line and the key that was probably meant', () => {
    const json = '{\n  "title": "Peat",\n  "audiobook": {\n    "narators": []\n  },\n  "pubisher": 1\n}'
    expect(reasons(json)).toEqual([
      'book.json line 4: "narators" is not a key of "audiobook"; did you mean "narrators"?',
      'book.json line 6: "pubisher" is not a key of book.json; did you mean "publisher"?',
    ])
    expect(reasons('{ "narrators": ["Edda Marlow"] }')).toEqual([
      'book.json line 1: "narrators" is not a key of book.json; did you mean "audiobook.narrators"?',
    ])
    expect(reasons('{ "zzz": 1 }')).toEqual(['book.json line 1: "zzz" is not a key of book.json.'])
  })

  test('explains what a value must look like', () => {
    const json = `{
      "slug": "The Slug",
      "firstPublished": "2021-02-30",
      "blockedCountries": ["usa"],
      "colours": { "background": "teal" },
      "audiobook": { "price": 12, "memberPrice": "9.5", "lengthMin": 75,
        "chapters": [{ "title": "One" }] }
    }`
    expect(reasons(json)).toEqual([
      'book.json line 2: "slug" must be lower-case letters, digits and single hyphens, like "the-salt-ledger".',
      'book.json line 3: "firstPublished" must be a date like "2021-03-01".',
      'book.json line 4: "blockedCountries.0" must be a country code like "US".',
      'book.json line 5: "colours.background" must be a colour like "#1F3D43".',
      'book.json line 6: "audiobook.price" must be pounds and pence in quotes, like "12.00".',
      'book.json line 6: "audiobook.memberPrice" must be pounds and pence in quotes, like "12.00".',
      'book.json line 6: "audiobook.lengthMin" must be <= 59.',
      'book.json line 7: "audiobook.chapters.0" needs "file".',
    ])
  })

  test('listening: takes plain names for authors, narrators, the translator and the publisher', () => {
    const json = `{ "authors": ["Ida Frost", "Homer", { "lastName": "Sappho" }], "translator": "Marlow, Edda",
      "publisher": "Slate & Yard", "audiobook": { "narrators": "Wren Castellan & Della Voss" } }`
    expect(readBookFile(json)).toEqual({
      authors: [
        { firstName: 'Ida', lastName: 'Frost' },
        { firstName: '', lastName: 'Homer' },
        { lastName: 'Sappho' },
      ],
      translator: { firstName: 'Edda', lastName: 'Marlow' },
      publisher: { slug: 'slate-and-yard', name: 'Slate & Yard' },
      audiobook: {
        narrators: [
          { firstName: 'Wren', lastName: 'Castellan' },
          { firstName: 'Della', lastName: 'Voss' },
        ],
      },
    })
    expect(reasons('{\n "authors": [7],\n "publisher": 7 }')).toEqual([
      'book.json line 2: "authors.0" must be a name in quotes, like "Ida Frost", or an object with "lastName".',
      expect.stringMatching(/^book\.json line 3: "publisher" must be a name in quotes/),
    ])
  })

  test('is refused with the line if it is not JSON or not an object', () => {
    expect(reasons('{\n "title": "Peat",\n}')[0]).toMatch(/^book\.json is not valid JSON \(line 3\)\.$/)
    expect(reasons('[]')).toEqual(['book.json must hold one object: { "title": … }.'])
  })

  test('is valid for every demo title', () => {
    const titles = new URL('../content/demo/titles/', import.meta.url)
    const folders = readdirSync(titles)
    expect(folders.length).toBeGreaterThan(48)
    for (const folder of folders)
      expect(reasons(readFileSync(new URL(`${folder}/book.json`, titles), 'utf8')), folder).toEqual([])
  })
})
