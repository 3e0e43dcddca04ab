import { expect, test } from 'vitest'
import type { AudioBook } from '#contract/catalogue.ts'
import type { EditorialItem } from '#contract/editorial.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { playableBook, playableRecording, playableSample, playableStored } from './playable.ts'

const book = (more: Partial<AudioBook>) =>
  ({
    slug: 'the-salt-ledger',
    title: 'The Salt Ledger',
    authors: [],
    narrators: [],
    locations: [],
    cover330: '/330.webp',
    cover900: '/900.webp',
    ...more,
  }) as unknown as AudioBook

test('a sample is one chapter of its length; a book without one has no chapters', () => {
  expect(playableSample(book({ sample: '/sample.mp3', sampleSeconds: 95 })).chapters).toEqual([
    { number: 1, title: 'Sample', seconds: 95, bytes: 0 },
  ])
  expect(playableSample(book({ sample: '/sample.mp3', sampleSeconds: null })).chapters).toMatchObject([
    { seconds: 0 },
  ])
  expect(playableSample(book({ sample: null })).chapters).toEqual([])
})

test('a book names its e-book, if it has one', () => {
  const whole: Partial<AudioBook> = { entityType: 'audioBook', audioFiles: [] }
  const eBook = { slug: 'the-salt-ledger-text' } as NonNullable<AudioBook['eBook']>
  expect(playableBook(book({ ...whole, eBook })).eBook).toBe('the-salt-ledger-text')
  expect(playableBook(book({ ...whole, eBook: null }))).not.toHaveProperty('eBook')
  const page = (text: AudioBook['eBook']) =>
    playableStored(aStoredTitle({ page: book({ eBook: text }) as never }))
  expect(page(eBook).eBook).toBe('the-salt-ledger-text')
  expect(page(null)).not.toHaveProperty('eBook')
  expect(playableStored(aStoredTitle())).not.toHaveProperty('eBook')
})

test('a recording is one chapter of its length, with its picture or an empty one of the same shape', () => {
  const recording = (more: Partial<EditorialItem>) =>
    playableRecording({ slug: 'tides', title: 'Tides', audioFile: '/tides.mp3', ...more } as EditorialItem)
  expect(recording({ audioSeconds: 61 }).chapters).toEqual([
    { number: 1, title: 'Tides', seconds: 61, bytes: 0 },
  ])
  expect(recording({ audioSeconds: null }).chapters).toMatchObject([{ seconds: 0 }])
  expect(recording({ audioFile: null }).chapters).toEqual([])
  expect(recording({}).cover).toMatchObject({ webp: { 330: '', 600: '', 900: '' }, width: 900, height: 600 })
})
