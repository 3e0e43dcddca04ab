import { expect, test } from 'vitest'
import type { Book } from '#contract/catalogue.ts'
import type { EditorialItem } from '#contract/editorial.ts'
import type { PersonPage } from '#contract/people.ts'
import type { Series } from '#contract/series.ts'
import {
  bookJsonLd,
  bookTrail,
  editorialJsonLd,
  editorialTrail,
  personJsonLd,
  seriesJsonLd,
  shopJsonLd,
} from './structured-data.ts'

const ORIGIN = 'https://murmur.example'

/** The schema.org properties in use, including inherited ones. Any other name is misspelt or new here. */
const THING = 'name url description image'
const WORK = `${THING} datePublished author publisher isAccessibleForFree inLanguage genre translator offers isPartOf hasPart position`
const VOCABULARY: Readonly<Record<string, string>> = {
  Audiobook: `${WORK} readBy bookFormat duration`,
  Book: `${WORK} bookFormat numberOfPages`,
  BookSeries: WORK,
  Article: `${WORK} headline associatedMedia`,
  PodcastEpisode: `${WORK} associatedMedia`,
  AudioObject: `${WORK} contentUrl duration`,
  Event: `${THING} startDate eventStatus eventAttendanceMode location organizer isAccessibleForFree`,
  VirtualLocation: THING,
  Person: `${THING} givenName familyName`,
  Organization: THING,
  BookStore: `${THING} potentialAction`,
  SearchAction: 'target query-input',
  EntryPoint: 'urlTemplate',
  Offer: `${THING} price priceCurrency availability seller`,
  BreadcrumbList: 'itemListElement',
  ListItem: 'position name item',
}

/** Properties that a validator would not know, or would find empty. */
function faultsIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => faultsIn(each, `${at}.${index}`))
  if (typeof value !== 'object' || value === null) {
    if (value === undefined || value === null || value === '') return [`${at} is empty`]
    return /(?:url|image|contentUrl|\.item)$/.test(at) && !(typeof value === 'string' && URL.canParse(value))
      ? [`${at} is no address`]
      : []
  }
  const type = (value as Record<string, string>)['@type'] ?? ''
  const known = (VOCABULARY[type] ?? '').split(' ')
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name.startsWith('@') || known.includes(name) ? [] : [`${at}: ${type} has no ${name}`]),
    ...faultsIn(inner, `${at}.${name}`),
  ])
}

const item = {
  entityType: 'interview',
  slug: 'sand',
  title: 'On sand',
  summary: 'S',
  shortDescription: '',
  image: '/media/covers/ab/x-900.webp',
  memberOnly: false,
  author: { firstName: '', lastName: 'Tallis', image: null, biography: null },
  publishedAt: '2026-11-01T10:00:00Z',
  startsAt: null,
  audioFile: '/media/recordings/x.mp3',
  audioSeconds: 90.4,
} as unknown as EditorialItem
const like = (fields: object) => ({ ...item, ...fields })

const book = {
  entityType: 'audioBook',
  slug: 'peat',
  title: 'Peat',
  summary: '<p>Wet &amp; dark.</p>',
  cover900: '/media/covers/ab/y-900.webp',
  authors: [{ fullName: 'Niall Garvey', slug: 'niall-garvey' }],
  narrators: [{ fullName: 'Bea Lorne' }],
  translator: { fullName: 'Alba Crewe' },
  publisher: { name: 'Lantern Row' },
  series: [{ slug: 'bogs', title: 'The Bogs', number: '2.5', last: 4 }],
  language: { title: 'English' },
  category: { name: 'Fiction' },
  firstPublished: '2024-03-01',
  lengthHours: 5,
  lengthMin: 30,
  pages: 200,
  price: 9.5,
  published: true,
} as unknown as Book

const bogs = {
  slug: 'bogs',
  title: 'The Bogs',
  authors: book.authors,
  inOrder: [
    { number: '2.5', audioBook: book, eBook: null },
    { number: '3', audioBook: null, eBook: null },
  ],
} as unknown as Series
const niall = {
  slug: 'niall-garvey',
  fullName: 'Niall Garvey',
  firstName: 'Niall',
  lastName: 'Garvey',
} as PersonPage

test('listening: a book’s structured data has its series, its position and its author’s page', () => {
  const url = 'https://murmur.example/series/bogs'
  expect(bookJsonLd(book, ORIGIN)).toMatchObject({
    isPartOf: [{ '@type': 'BookSeries', url, name: 'The Bogs' }],
    position: '2.5',
    author: [{ '@type': 'Person', url: 'https://murmur.example/people/niall-garvey' }],
  })
  expect(seriesJsonLd(bogs, ORIGIN)).toMatchObject({
    '@type': 'BookSeries',
    hasPart: [{ '@type': 'Audiobook', url: 'https://murmur.example/audiobooks/peat', position: '2.5' }],
  })
})

test('structured data has only schema.org properties, and no empty ones', () => {
  const things = [
    shopJsonLd(ORIGIN),
    bookJsonLd(book, ORIGIN),
    bookJsonLd({ ...book, entityType: 'eBook' } as unknown as Book, ORIGIN),
    bookTrail(book, ORIGIN),
    seriesJsonLd(bogs, ORIGIN),
    personJsonLd(niall, ORIGIN),
    editorialJsonLd(item, ORIGIN),
    editorialJsonLd(like({ entityType: 'article', author: null }), ORIGIN),
    editorialJsonLd(like({ entityType: 'discussion', startsAt: '2026-12-02T19:30:00Z' }), ORIGIN),
    editorialTrail(item, ORIGIN),
  ]
  expect(things.flatMap((thing) => faultsIn(thing))).toEqual([])
  expect(things.map((thing) => thing['@type'])).toEqual(
    'BookStore Audiobook Book BreadcrumbList BookSeries Person PodcastEpisode Article Event BreadcrumbList'.split(
      ' ',
    ),
  )
})

test('only items with a date are events, with a date alone if the time is unknown', () => {
  expect(editorialJsonLd(like({ entityType: 'discussion' }), ORIGIN)['@type']).toBe('Article')
  const starts = (startsAt: string) =>
    editorialJsonLd(like({ entityType: 'discussion', startsAt }), ORIGIN)['startDate']
  expect(starts('2026-12-02T19:30:00Z')).toBe('2026-12-02T19:30:00Z')
  expect(starts('2026-12-02T00:00:00Z')).toBe('2026-12-02')
})

test('includes public recordings, never those for members', () => {
  expect(editorialJsonLd(item, ORIGIN)['associatedMedia']).toMatchObject({
    contentUrl: `${ORIGIN}/media/recordings/x.mp3`,
    duration: 'PT90S',
  })
  expect(JSON.stringify(editorialJsonLd(like({ memberOnly: true }), ORIGIN))).not.toContain('recordings')
})
