import 'fake-indexeddb/auto'
import { deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeStretches, encodeTimes, joinInStep } from '#contract/calculations/in-step.ts'
import { configureNet, settings } from '#net/settings.ts'
import { formatPairsIn } from '#storage/format-pairs.ts'
import { placesDb } from '#storage/places-db.ts'
import { putTitle, readInStep, removeTitle, writeInStep } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'
import { thisDeviceId } from '#sync/outbox.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { creditsEnd, decodeInStep, fetchInStep, inStepOf, ofSound, sentenceAt } from './in-step.ts'
import {
  firstSentenceFrom,
  locatorFromListening,
  otherFormat,
  placeFromReading,
  readPlace,
  sentenceAround,
} from './switch.ts'

const SLUG = 'low-tide'
const cfi = (paragraph: number, from: number, to: number) =>
  `epubcfi(/6/4!/4/${paragraph},/1:${from},/1:${to})`
const LINES = [
  [cfi(2, 0, 17), 'The tide was out.'],
  [cfi(2, 18, 40), 'Nobody had counted it.'],
  [cfi(4, 0, 17), 'She counted them.'],
]
/** A chapter of three sentences, the second one only about there. */
const aFile = (version = 'one', sound = 'a-sound'): ArrayBuffer =>
  joinInStep({ version, eBook: SLUG, text: 'a-text', hasSpokenEBook: true }, [
    {
      ...{ number: 1, title: 'The orchard', durationMs: 6000, sound, loudness: -19, source: 'aligned' },
      silences: encodeStretches([{ start: 170, end: 200 }]),
      times: encodeTimes([
        { start: 30, end: 170, isCertain: true },
        { start: 200, end: 430, isCertain: false },
        { start: 450, end: 590, isCertain: true },
      ]),
      words: deflateRawSync(LINES.map((line) => line.join('\t')).join('\n')),
    },
  ]).slice().buffer

const usual = { ...settings }
let owner: string
let answer: () => Response
let asked: string[]
beforeEach(() => {
  owner = crypto.randomUUID()
  asked = []
  answer = () => fromShop(aFile())
  const tokens = { token: tokenOf(owner), refreshToken: undefined }
  configureNet({
    origin: 'http://shop.test',
    tokens: { ...settings.tokens, peek: () => tokens, read: async () => tokens },
    async fetch(input) {
      asked.push(typeof input === 'string' ? input : '')
      return answer()
    },
  })
})
afterEach(() => configureNet(usual))

test('in step: a file tells which sentence is spoken at a place, and in a pause the one before', async () => {
  const inStep = await decodeInStep(aFile())
  const at = (seconds: number, chapter = 1) => sentenceAt(inStep, { chapter, seconds })?.words
  expect(at(0.1)).toBeUndefined()
  expect(at(0.3)).toBe('The tide was out.')
  expect(at(1.9)).toBe('The tide was out.')
  expect(at(2)).toBe('Nobody had counted it.')
  expect(at(99)).toBe('She counted them.')
  expect(at(2, 2)).toBeUndefined()
  expect(inStep.chapters[0]!.sentences.map(({ isCertain }) => isCertain)).toEqual([true, false, true])
  expect(inStep.chapters[0]!.silences).toEqual([{ start: 170, end: 200 }])
})

test('in step: a position of the text leads to the sentence around it, and a page to the first that begins on it', async () => {
  const inStep = await decodeInStep(aFile())
  const middle = 'epubcfi(/6/4!/4/2/1:25)'
  expect(sentenceAround(inStep, middle)?.words).toBe('Nobody had counted it.')
  expect(firstSentenceFrom(inStep, middle)?.words).toBe('She counted them.')
  const page = 'epubcfi(/6/4!/4,/2/1:18,/4/1:5)'
  expect(firstSentenceFrom(inStep, page)?.words).toBe('Nobody had counted it.')
  expect(firstSentenceFrom(inStep, 'epubcfi(/6/6!/4/2/1:0)')).toBeUndefined()
})

test('in step: the text begins after the opening credits if its first sentence is certain and follows a long pause', async () => {
  const { chapters, ...version } = await decodeInStep(aFile())
  const endOf = (start: number, pauseFrom: number, isCertain = true) => {
    const sentences = [{ ...chapters[0]!.sentences[0]!, start, isCertain }]
    const silences = [{ start: pauseFrom * 100, end: start * 100 }]
    return creditsEnd({ ...version, chapters: [{ ...chapters[0]!, sentences, silences }] }, 1)
  }
  expect([endOf(18, 16.5), endOf(90, 88)]).toEqual([18, 90])
  expect([endOf(18, 17.6), endOf(18, 16.5, false), endOf(2, 0.5), endOf(300, 298)]).toEqual(
    Array(4).fill(undefined),
  )
})

test('in step: another version of the sound has no marks', async () => {
  const inStep = await decodeInStep(aFile())
  expect(ofSound(inStep, [{ number: 1, sound: 'a-sound' }]).chapters).toHaveLength(1)
  expect(ofSound(inStep, [{ number: 1, sound: 'newer' }]).chapters).toHaveLength(0)
})

test('in step: a fetched file is stored, and opens without the network the next time', async () => {
  expect((await fetchInStep(owner, SLUG))?.version).toBe('one')
  expect(asked).toEqual([`http://shop.test/api/audio_books/${SLUG}/in_step`])
  answer = () => Response.error()
  expect((await inStepOf(owner, SLUG))?.version).toBe('one')
})

test('in step: the device remembers which formats belong together, until the server has no sentences of them', async () => {
  const pairs = () => placesDb.use(owner, formatPairsIn)
  await fetchInStep(owner, 'low-tide-read-aloud')
  expect(await pairs()).toEqual({ 'low-tide-read-aloud': SLUG })
  answer = () => fromShop('{}', { status: 404 })
  await expect(fetchInStep(owner, 'low-tide-read-aloud')).rejects.toThrow()
  expect(await pairs()).toEqual({})
})

test('in step: what the server no longer has is removed from the device', async () => {
  await writeInStep(owner, SLUG, aFile())
  answer = () => fromShop('{}', { status: 404 })
  await expect(fetchInStep(owner, SLUG)).rejects.toThrow()
  expect(await readInStep(owner, SLUG)).toBeUndefined()
})

test('in step: a captive portal’s answer replaces nothing', async () => {
  await writeInStep(owner, SLUG, aFile())
  answer = () => new Response('Log in to the Wi-Fi', { status: 200 })
  await expect(fetchInStep(owner, SLUG)).rejects.toMatchObject({ kind: 'offline' })
  expect((await decodeInStep((await readInStep(owner, SLUG))!)).version).toBe('one')
})

test('in step: of titles that aren’t downloaded the device keeps the newest 20, of downloaded ones all', async () => {
  const downloaded = 'kept-0'
  await putTitle(owner, { ...aStoredTitle({ key: titleKey('audio', downloaded) }), kept: 1 })
  const slugs = [downloaded, ...Array.from({ length: 21 }, (_, index) => `opened-${index}`)]
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const slug of slugs) {
    vi.advanceTimersByTime(1_000)
    await writeInStep(owner, slug, aFile())
  }
  vi.useRealTimers()
  const kept = await Promise.all(slugs.map(async (slug) => ((await readInStep(owner, slug)) ? [slug] : [])))
  expect(kept.flat()).toEqual([downloaded, ...slugs.slice(2)])
})

test('in step: a download keeps the times of its own sound, until it is removed', async () => {
  const key = titleKey('audio', SLUG)
  const file = { chapter: 1, name: 'The orchard', playtime: 6, bytes: 1, sha256: 'a-sound' }
  await putTitle(owner, { ...aStoredTitle({ key }), kept: 1, files: [file] })
  await writeInStep(owner, SLUG, aFile())
  answer = () => fromShop(aFile('two', 'another-sound'))
  await fetchInStep(owner, SLUG)
  expect((await decodeInStep((await readInStep(owner, SLUG))!)).version).toBe('one')
  // New words for the same sound are stored.
  answer = () => fromShop(aFile('three'))
  await fetchInStep(owner, SLUG)
  expect((await decodeInStep((await readInStep(owner, SLUG))!)).version).toBe('three')
  await removeTitle(owner, key)
  expect(await readInStep(owner, SLUG)).toBeUndefined()
})

const heard = (seconds: number, heardAtMs: number, deviceId: string | null = null) =>
  placesDb.use(owner, (db) =>
    db.places.put({
      ...{ slug: SLUG, chapter: 1, seconds, heardAtMs },
      ...{ eventId: null, deviceId, basedOn: null },
    }),
  )
const read = (locator: string, readAtMs: number, deviceId: string | null = null) =>
  placesDb.use(owner, (db) =>
    db.readings.put({
      ...{
        slug: SLUG,
        locator,
        share: 0.5,
        readAtMs,
        eventId: null,
        deviceId,
        waiting: 0,
        sequence: 1,
      },
      ...{ clock: { page: '', ms: 0 }, offsetMs: null, tries: 0 },
    }),
  )

test('in step: the newer place counts in both formats, and the other one is calculated, not stored', async () => {
  await writeInStep(owner, SLUG, aFile())
  await heard(2.5, 1000)
  expect(await locatorFromListening(owner, SLUG, SLUG)).toBe(cfi(2, 18, 40))
  expect(await placeFromReading(owner, SLUG, SLUG)).toBeUndefined()
  await read('epubcfi(/6/4!/4/4/1:0)', 2000)
  expect(await locatorFromListening(owner, SLUG, SLUG)).toBeUndefined()
  expect(await placeFromReading(owner, SLUG, SLUG)).toEqual({ chapter: 1, seconds: 4.5 })
  await heard(0.5, 3000)
  expect(await locatorFromListening(owner, SLUG, SLUG)).toBe(cfi(2, 0, 17))
  expect(await placeFromReading(owner, SLUG, SLUG)).toBeUndefined()
  expect(await placesDb.use(owner, (db) => db.readings.get(SLUG))).toMatchObject({ readAtMs: 2000 })
})

test('in step: where another device read far behind what was heard here, the listener is asked, and nothing moves', async () => {
  await writeInStep(owner, SLUG, aFile())
  const device = await thisDeviceId()
  const question = () => placesDb.use(owner, (db) => db.twoPlaces.get(SLUG))
  await heard(300, 1000, device)
  await read('epubcfi(/6/4!/4/4/1:0)', 2000, device)
  // This device's own, deliberate page.
  expect(await placeFromReading(owner, SLUG, SLUG)).toEqual({ chapter: 1, seconds: 4.5 })
  expect(await question()).toBeUndefined()
  await read('epubcfi(/6/4!/4/4/1:0)', 2000, crypto.randomUUID())
  expect(await placeFromReading(owner, SLUG, SLUG)).toBeUndefined()
  expect(await question()).toMatchObject({
    here: { chapter: 1, seconds: 300 },
    there: { chapter: 1, seconds: 4.5, isRead: true },
  })
})

test('in step: the e-book’s place is one of the audiobook’s earlier places, calculated and not stored', async () => {
  await fetchInStep(owner, SLUG)
  await read('epubcfi(/6/4!/4/4/1:0)', 2000)
  expect(await readPlace(owner, SLUG)).toMatchObject({ chapter: 1, seconds: 4.5, isRead: true })
  expect(await placesDb.use(owner, (db) => db.history.count())).toBe(0)
  expect(await readPlace(owner, 'another')).toBeUndefined()
})

test('in step: a title’s menu offers its other format, once this device knows the sentences of both', async () => {
  const [audio, text] = [titleKey('audio', 'low-tide-read-aloud'), titleKey('ebook', SLUG)]
  expect(await otherFormat(owner, audio)).toBeUndefined()
  await writeInStep(owner, 'low-tide-read-aloud', aFile())
  expect(await otherFormat(owner, audio)).toEqual({ key: text, hasSpokenEBook: true })
  expect(await otherFormat(owner, text)).toEqual({ key: audio, hasSpokenEBook: true })
  expect(await otherFormat(owner, titleKey('ebook', 'low-tide-read-aloud'))).toBeUndefined()
  expect(asked).toEqual([])
})

test('in step: without a file neither format moves the other', async () => {
  answer = () => fromShop('{}', { status: 404 })
  await heard(2.5, 1000)
  expect(await locatorFromListening(owner, SLUG, SLUG)).toBeUndefined()
})
