import { describe, expect, test } from 'vitest'
import { differences } from './desired.ts'
import type { BookFile } from './book-file.ts'
import type { DesiredBook } from './desired.ts'
import type { FoundEbook, FoundSound, FoundTitle, SoundTags } from './found.ts'
import { chapterNameOf, personOf, slugOf } from '#server/features/catalogue/names.ts'
import { naturalOrder } from '#server/features/catalogue/names.ts'
import { planTitle } from './plan.ts'
import { NO_TAGS } from './readers/sound.ts'
import { ImportRefused } from './refused.ts'
import { richText } from '#server/features/catalogue/rich-text.ts'

const sound = (name: string, tags: Partial<SoundTags> = {}): FoundSound => ({
  name,
  path: `/there/${name}`,
  sha256: `sound of ${name}`,
  bytes: 1000,
  extension: 'mp3',
  durationMs: 60_000,
  tags: { ...NO_TAGS, ...tags },
})

const anEpub = (more: Partial<FoundEbook> = {}): FoundEbook => ({
  name: 'book.epub',
  path: '/there/book.epub',
  sha256: 'epub',
  bytes: 500,
  title: 'Peat',
  authors: ['Garvey, Niall'],
  publisher: 'Slate & Yard',
  language: 'en-GB',
  description: undefined,
  published: '2019-04',
  series: [],
  isbn: undefined,
  accessibility: { codes: [], summary: null },
  cover: undefined,
  ...more,
})

const found = (more: Partial<FoundTitle> = {}): FoundTitle => ({
  folder: 'a_folder',
  book: undefined,
  sounds: [],
  ebooks: [],
  cover: undefined,
  ebookCover: undefined,
  broken: new Map(),
  warnings: [],
  ...more,
})

const audiobook = (more: Partial<FoundTitle>): DesiredBook =>
  planTitle(found(more)).books.find(({ format }) => format === 'audio_book')!

const reasonsOf = (more: Partial<FoundTitle>): readonly string[] => {
  try {
    planTitle(found(more))
  } catch (error) {
    if (error instanceof ImportRefused) return error.reasons
    throw error
  }
  return []
}

describe('the order of chapters', () => {
  test('trap 33: follows the numbers in their names, CD by CD', () => {
    const names = [
      'CD2/1.mp3',
      'CD1/10.mp3',
      'CD10/1.mp3',
      'CD1/2.mp3',
      '12.mp3',
      '2.mp3',
      'CD1/1.mp3',
      '1.mp3',
      '10.mp3',
    ]
    expect(names.sort(naturalOrder)).toEqual([
      '1.mp3',
      '2.mp3',
      '10.mp3',
      '12.mp3',
      'CD1/1.mp3',
      'CD1/2.mp3',
      'CD1/10.mp3',
      'CD2/1.mp3',
      'CD10/1.mp3',
    ])
    const sounds = ['10.mp3', '9.mp3', '1.mp3'].map((name) => sound(name))
    expect(audiobook({ sounds }).chapters.map(({ soundId }) => soundId)).toEqual(
      ['1.mp3', '9.mp3', '10.mp3'].map((name) => `sound of ${name}`),
    )
  })

  test('trap 33: follows track numbers if names have no numbers, and reports when the two disagree', () => {
    const tagged = [sound('Arrival.mp3', { track: 2 }), sound('Zero.mp3', { track: 1 })]
    expect(audiobook({ sounds: tagged }).chapters.map(({ title }) => title)).toEqual(['Zero', 'Arrival'])
    const disagreeing = [sound('1.mp3', { track: 2 }), sound('2.mp3', { track: 1 })]
    const plan = planTitle(found({ sounds: disagreeing }))
    expect(plan.books[0]!.chapters.map(({ soundId }) => soundId)).toEqual([
      'sound of 1.mp3',
      'sound of 2.mp3',
    ])
    expect(plan.warnings.join()).toMatch(/track numbers .* another order/)
  })

  test('follows book.json if it lists the chapters; its titles take precedence over tags', () => {
    const sounds = [sound('a.mp3', { title: 'Tagged' }), sound('b.mp3', { title: 'B' }), sound('extra.mp3')]
    const book: BookFile = { audiobook: { chapters: [{ file: 'b.mp3', title: 'First' }, { file: 'A.MP3' }] } }
    const plan = planTitle(found({ sounds, book }))
    expect(plan.books[0]!.chapters.map(({ title }) => title)).toEqual(['First', 'Tagged'])
    expect(plan.warnings).toContain('extra.mp3 is not among the chapters of book.json.')
  })
})

describe('without a book.json', () => {
  const tags = {
    album: 'Peat',
    artists: ['Niall Garvey', 'Vera Liskova'],
    narrators: ['Della Voss'],
    year: 2019,
  }
  const sounds = [
    sound('01 - Turf.mp3', { ...tags, title: 'Turf' }),
    sound('02.mp3', { ...tags, title: 'Rain' }),
  ]

  test('tags describe the title', () => {
    expect(audiobook({ sounds })).toMatchObject({
      slug: 'peat',
      title: 'Peat',
      authors: ['Niall Garvey', 'Vera Liskova'],
      narrators: ['Della Voss'],
      firstPublished: '2019-01-01',
      lengthMinutes: 2,
      coverAlt: 'Cover of Peat by Niall Garvey, Vera Liskova',
    })
  })

  test('the title is listed and not sold, because it has no price', () => {
    const plan = planTitle(found({ sounds }))
    expect(plan.books[0]).toMatchObject({ priceMinor: 0, published: false })
    expect(plan.unpriced.get('audio_book')).toMatch(/^No price: the audiobook is listed but not sold/)
  })

  test('the EPUB describes the title', () => {
    expect(planTitle(found({ ebooks: [anEpub()] })).books).toMatchObject([
      {
        format: 'e_book',
        slug: 'peat',
        authors: ['Niall Garvey'],
        language: 'English',
        firstPublished: '2019-04-01',
        publisher: 'slate-and-yard',
        fileId: 'epub',
      },
    ])
  })

  test('file names replace tags that are missing or the same for every chapter', () => {
    const same = ['01 - the tide.mp3', '02-lamp-forty-one.mp3', 'Track 3.mp3'].map((name) =>
      sound(name, { title: 'Peat' }),
    )
    expect(audiobook({ sounds: same }).chapters.map(({ title }) => title)).toEqual([
      'The tide',
      'Lamp forty one',
      'Chapter 3',
    ])
    expect(audiobook({ sounds: [sound('1.mp3')] })).toMatchObject({ title: 'a folder', slug: 'a-folder' })
  })

  test('a file called sample is the sample', () => {
    const book = audiobook({ sounds: [sound('1.mp3'), sound('sample.mp3')] })
    expect(book.sampleId).toBe('sound of sample.mp3')
    expect(book.chapters).toHaveLength(1)
  })
})

describe('book.json', () => {
  test('takes precedence over tags and measured lengths, and puts the audiobook into the highlights', () => {
    const book: BookFile = {
      title: 'Peat, Revised',
      edition: true,
      featuredPosition: 1,
      summary: 'One.\n\nTwo <3.',
      audiobook: { price: '14.99', memberPrice: '12.50', lengthHours: 8, lengthMin: 4 },
      ebook: { price: '0.00', pages: 90 },
    }
    const sounds = [sound('1.mp3', { album: 'Peat' })]
    const [audio, ebook] = planTitle(found({ book, sounds, ebooks: [anEpub()] })).books
    expect(audio).toMatchObject({
      slug: 'peat-revised',
      priceMinor: 1499,
      memberPriceMinor: 1250,
      published: true,
      lengthMinutes: 484,
      edition: true,
      featuredPosition: 1,
      summary: '<p>One.</p>\n<p>Two &lt;3.</p>',
    })
    expect(ebook).toMatchObject({
      priceMinor: 0,
      published: true,
      pages: 90,
      edition: false,
      featuredPosition: null,
    })
  })
})

describe('a title is refused', () => {
  test('if a chapter is broken or missing', () => {
    const broken = new Map([['02.mp3', 'is not MP3 sound']])
    expect(reasonsOf({ sounds: [sound('01.mp3')], broken })).toEqual(['02.mp3 is not MP3 sound.'])
    const book: BookFile = { audiobook: { chapters: [{ file: '02.mp3' }, { file: '03.mp3' }] } }
    expect(reasonsOf({ book, broken })).toEqual([
      '02.mp3 is not MP3 sound.',
      '03.mp3 is named in book.json and is not in the folder.',
    ])
  })

  test('if its slug is reserved by the shop', () => {
    for (const slug of ['latest', 'second_editions', 'claim', 'tag_related', 'zip'])
      expect(reasonsOf({ sounds: [sound('1.mp3')], book: { slug } }), slug).toEqual([
        `“${slug}” is one of the shop’s own addresses: give the title another "slug" in book.json.`,
      ])
    expect(reasonsOf({ sounds: [sound('1.mp3', { album: 'Latest' })] })[0]).toMatch(
      /^“latest” is one of the shop’s own addresses/,
    )
    expect(reasonsOf({ sounds: [sound('1.mp3', { album: '戦争' })] })[0]).toMatch(/^No address can be made/)
  })

  test('if members would pay more than others or more than promised, or if it has no description at all', () => {
    const book: BookFile = { audiobook: { price: '5.00', memberPrice: '6.00' } }
    expect(reasonsOf({ book })).toEqual(['audiobook.memberPrice 6.00 is above audiobook.price 5.00.'])
    expect(reasonsOf({ book: { audiobook: { price: '5.00', memberPrice: '3.99' } } })).toEqual([
      'audiobook.memberPrice 3.99 is more than 20% below audiobook.price 5.00.',
    ])
    expect(reasonsOf({})[0]).toMatch(/holds no MP3, M4B or EPUB file/)
    expect(reasonsOf({ otherFormats: ['The Warden.azw3'] })).toEqual([
      'holds The Warden.azw3, and no MP3, M4B or EPUB file: convert it to one of these.',
    ])
    expect(reasonsOf({ ebooks: [anEpub(), anEpub({ name: 'b.epub' })] })[0]).toMatch(/holds 2 EPUB files/)
  })
})

test('derives people, slugs and chapter names from text', () => {
  expect(personOf('Marlow, Edda')).toEqual({ firstName: 'Edda', lastName: 'Marlow' })
  expect(personOf('Ana María de la Cruz')).toEqual({ firstName: 'Ana María de la', lastName: 'Cruz' })
  expect(personOf('Plato')).toEqual({ firstName: '', lastName: 'Plato' })
  expect(slugOf('The Lamplighter’s Ledger & Łódź')).toBe('the-lamplighters-ledger-and-lodz')
  expect(slugOf('x'.repeat(100) + ' ' + 'y'.repeat(100))).toBe('x'.repeat(100))
  expect(chapterNameOf('CD1/07_The-Weighing Room.mp3')).toBe('The-Weighing Room')
})

test('a summary keeps its paragraphs and loses scripts', () => {
  expect(richText('<p>A <em>bog</em></p><script>x()</script><p onclick="x()">B</p>')).toBe(
    '<p>A <em>bog</em></p><p>B</p>',
  )
  expect(richText('<a href="javascript:x">y</a><br>')).not.toContain('javascript')
  expect(richText('  ')).toBe('')
})

test('another spelling of a person is not a change, another order of people is', () => {
  const one = audiobook({ sounds: [sound('1.mp3', { album: 'Peat', artists: ['Ann Lee', 'Bo Day'] })] })
  expect(differences(one, { ...one, authors: ['ANN  LEE', 'Bo Day'] })).toEqual([])
  expect(differences(one, { ...one, authors: ['Bo Day', 'Ann Lee'] })).toEqual(['authors'])
  expect(
    differences(one, { ...one, priceMinor: 5, textColour: '#000000', containerColour: null }).sort(),
  ).toEqual(['colours', 'price'])
})
