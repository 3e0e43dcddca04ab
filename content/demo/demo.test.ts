import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { audiobooks, books, ebooks, here, named, readJson, type Book } from './read-demo.ts'

const words = (text: string) => text.split(/\s+/).filter(Boolean).length

const styles = (readJson('styles.json') as { title: string }[]).map(({ title }) => title)
const categories = readJson('categories.json') as { name: string; visible: boolean; weight: number }[]
const locations = (readJson('locations.json') as { title: string }[]).map(({ title }) => title)
const nationalities = (readJson('nationalities.json') as { title: string }[]).map(({ title }) => title)
const publishers = (readJson('publishers.json') as { slug: string }[]).map(({ slug }) => slug)

describe('the shelves', () => {
  test('there are 48 audiobooks, 24 e-books and 12 titles in both formats, or more', () => {
    expect(audiobooks.length).toBeGreaterThanOrEqual(48)
    expect(ebooks.length).toBeGreaterThanOrEqual(24)
    expect(books.filter((book) => book.audiobook && book.ebook).length).toBeGreaterThanOrEqual(12)
    expect(new Set(books.map(({ publisher }) => publisher.slug)).size).toBeGreaterThanOrEqual(6)
  })

  test('a folder is named for its title, and no title comes twice', () => {
    expect(books.map(({ slug }) => slug)).toEqual(readdirSync(join(here, 'titles')))
    expect(new Set(books.map(({ title }) => title)).size).toBe(books.length)
  })

  test('every title of the demo shop with a fixed slug is there', () => {
    const fixed =
      `the-lamplighters-ledger a-field-guide-to-small-hours salt-road-letters the-orchard-at-low-tide
      nine-rooms-of-rain not-yet-bells the-customs-house tin-whistle-winter harbour-lights-annual
      the-unbound-almanac letters-without-paper the-quiet-ferry a-house-of-sundays embargoed-winter
      one-hour-island eleven-hour-crossing second-card-for-tin-whistle`.split(/\s+/)
    expect(books.map(({ slug }) => slug)).toEqual(expect.arrayContaining(fixed))
  })

  test.each([
    ['currentHighlight', 14],
    ['edition', 11],
    ['memoir', 9],
    ['writersDilemma', 9],
  ] as const)('audiobooks marked %s: at least %i', (mark, least) => {
    expect(audiobooks.filter((book) => book[mark]).length).toBeGreaterThanOrEqual(least)
    expect(books.filter((book) => book[mark] && !book.audiobook)).toEqual([])
  })

  test('at least 14 titles come as a card, each with a spiSIN of its own', () => {
    const cards = audiobooks.flatMap(({ audiobook }) =>
      audiobook?.availableAsCard ? [audiobook.spiSIN] : [],
    )
    expect(cards.length).toBeGreaterThanOrEqual(14)
    expect(new Set(cards).size).toBe(cards.length)
    for (const spiSIN of cards) expect(spiSIN).toMatch(/^9001\d{9}$/)
  })

  test('Lantern Row has at least 14 audiobooks and Unwritten Press has nothing', () => {
    expect(
      audiobooks.filter(({ publisher }) => publisher.slug === 'lantern-row').length,
    ).toBeGreaterThanOrEqual(14)
    expect(publishers).toContain('unwritten-press')
    expect(books.filter(({ publisher }) => publisher.slug === 'unwritten-press')).toEqual([])
  })

  test('there is an audiobook at each length from 1 to 9 hours, and the two at the ends', () => {
    const hours = new Set(audiobooks.map(({ audiobook }) => audiobook!.lengthHours))
    for (let hour = 1; hour <= 9; hour++) expect(hours).toContain(hour)
    expect(named('one-hour-island').audiobook).toMatchObject({ lengthHours: 1, lengthMin: 0 })
    expect(named('eleven-hour-crossing').audiobook).toMatchObject({ lengthHours: 11, lengthMin: 5 })
  })

  test('e-books of 90, 100, 500, 900 and 1000 pages exist', () => {
    expect(ebooks.map(({ ebook }) => ebook!.pages)).toEqual(expect.arrayContaining([90, 100, 500, 900, 1000]))
  })
})

describe('the filters', () => {
  test('there are 6 styles, 6 categories, 5 locations and 4 nationalities, all of them used', () => {
    expect([styles.length, categories.length, locations.length, nationalities.length]).toEqual([6, 6, 5, 4])
    expect(new Set(audiobooks.flatMap(({ style }) => style ?? []))).toEqual(new Set(styles))
    expect(new Set(audiobooks.map(({ category }) => category))).toEqual(
      new Set(categories.map(({ name }) => name)),
    )
    expect(new Set(audiobooks.flatMap((book) => book.locations ?? []))).toEqual(new Set(locations))
    const ofAuthors = audiobooks.flatMap(({ authors }) => authors.map(({ nationality }) => nationality))
    expect(new Set(ofAuthors)).toEqual(new Set(nationalities))
    expect(publishers).toEqual(expect.arrayContaining(books.map(({ publisher }) => publisher.slug)))
  })

  test('one category is not visible, and the weights are not in the order of the list', () => {
    expect(categories.filter(({ visible }) => !visible)).toHaveLength(1)
    const weights = categories.map(({ weight }) => weight)
    expect(new Set(weights).size).toBe(weights.length)
    expect(weights).not.toEqual(weights.toSorted((a, b) => a - b))
  })

  test('visible categories hold 1, 3 and 9 audiobooks, and no title beside them', () => {
    const visible = categories.filter((category) => category.visible).map(({ name }) => name)
    const sizes = (of: Book[]) => visible.map((name) => of.filter(({ category }) => category === name).length)
    expect(sizes(audiobooks)).toEqual(expect.arrayContaining([1, 3, 9]))
    expect(sizes(books)).toEqual(expect.arrayContaining([1, 3, 9]))
  })
})

describe('searches', () => {
  const onSale = books.filter(({ published }) => published)
  const finds = (keyword: string) =>
    onSale.filter(({ title, authors, summary, publisher, tags = [] }) => {
      const people = authors.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
      return [title, summary, publisher.slug, ...people, ...tags].join(' ').toLowerCase().includes(keyword)
    })
  const inBothFormats = (found: Book[]) =>
    found.reduce((sum, { audiobook, ebook }) => sum + Number(!!audiobook) + Number(!!ebook), 0)

  test('harbour finds at least 14 titles', () => {
    expect(finds('harbour').length).toBeGreaterThanOrEqual(14)
  })

  test('ferry finds 1 to 4 books, both formats counted', () => {
    expect(inBothFormats(finds('ferry'))).toBeGreaterThanOrEqual(1)
    expect(inBothFormats(finds('ferr'))).toBeLessThanOrEqual(4)
  })

  test('zzyzx finds nothing', () => {
    expect(finds('zzyzx')).toEqual([])
  })
})

describe('titles with something special', () => {
  test('prices that are fixed', () => {
    expect(named('the-lamplighters-ledger')).toMatchObject({
      audiobook: { price: '14.99' },
      ebook: { price: '8.99' },
    })
    expect(Number(named('a-field-guide-to-small-hours').audiobook?.price)).toBe(0)
    expect(named('salt-road-letters').audiobook?.price).toBe('12.00')
    expect(named('the-orchard-at-low-tide').audiobook?.price).toBe('10.00')
    expect(named('a-house-of-sundays').audiobook?.price).toBe('9.99')
    expect(Number(named('harbour-lights-annual').ebook?.price)).toBe(0)
    expect(Number(named('the-unbound-almanac').ebook?.price)).toBeGreaterThan(0)
  })

  test('marks that are fixed', () => {
    expect(named('salt-road-letters').currentHighlight).toBe(true)
    expect(named('the-orchard-at-low-tide').edition).toBe(true)
    expect(named('nine-rooms-of-rain')).toMatchObject({ violence: true, translator: {}, ebook: {} })
    expect(named('not-yet-bells').published).toBe(false)
    expect(named('the-customs-house').blockedCountries).toEqual(['US'])
    expect(named('embargoed-winter').embargoed).toBe(true)
    expect(named('tin-whistle-winter').audiobook).toMatchObject({
      availableAsCard: true,
      spiSIN: '9001000000017',
    })
    expect(named('second-card-for-tin-whistle').audiobook).toMatchObject({ spiSIN: '9001000000024' })
    expect(named('a-house-of-sundays')).toMatchObject({
      audiobook: { hideDownload: true },
      publisherBook: {},
    })
  })

  test('The Quiet Ferry has no sample, no style and nothing in common with another title', () => {
    const ferry = named('the-quiet-ferry')
    expect([ferry.style, ferry.sampleText, ferry.audiobook?.sample, ferry.tags]).toEqual(
      Array(4).fill(undefined),
    )
    expect(ferry.authors).toHaveLength(1)
    expect(words(ferry.summary)).toBeLessThan(20)
    expect(Number(ferry.audiobook?.price)).toBeGreaterThan(0)
  })

  test('e-books differ in how they are delivered', () => {
    expect(named('harbour-lights-annual').audiobook).toBeUndefined()
    expect(named('the-unbound-almanac').ebook).toMatchObject({ madeAfterPurchase: true, downloadable: true })
    expect(named('letters-without-paper').ebook).toMatchObject({ downloadable: false })
    expect(named('letters-without-paper').ebook?.file).toBeUndefined()
  })

  test('summaries are 60 to 150 words, but for the long one and the short one', () => {
    expect(words(named('a-house-of-sundays').summary)).toBeGreaterThan(250)
    const special = new Set(['a-house-of-sundays', 'the-quiet-ferry'])
    for (const { slug, summary } of books.filter((book) => !special.has(book.slug))) {
      expect(words(summary), slug).toBeGreaterThanOrEqual(60)
      expect(words(summary), slug).toBeLessThanOrEqual(150)
    }
  })
})

describe('colours', () => {
  test('there are at least 20 palettes, and every text is readable on its band and its container', () => {
    expect(new Set(books.map(({ colours }) => JSON.stringify(colours))).size).toBeGreaterThanOrEqual(20)
    for (const { slug, colours } of books) {
      expect(contrast(colours.text, colours.background), slug).toBeGreaterThanOrEqual(4.5)
      expect(contrast(colours.text, colours.container), slug).toBeGreaterThanOrEqual(4.5)
    }
  })
})

function contrast(one: string, other: string) {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string) {
  const linear = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return [0.2126, 0.7152, 0.0722].reduce((sum, weight, channel) => sum + weight * linear[channel]!, 0)
}
