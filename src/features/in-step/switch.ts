import { collapse, compare } from 'foliate-js/epubcfi.js'
import { splitInStep } from '#contract/calculations/in-step.ts'
import { TWO_PLACES_SECONDS } from '#contract/limits.ts'
import { formatPairsIn } from '#storage/format-pairs.ts'
import { type DatedPlace, type LocalPlace, placesDb, type ReadingPlace } from '#storage/places-db.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { soundDb } from '#storage/sound-db.ts'
import { formatOfKey, slugOfKey, titleKey, type TitleKey } from '#storage/title-key.ts'
import { thisDeviceId } from '#sync/outbox.ts'
import { type InStep, inStepOf, type Sentence, sentenceAt } from './in-step.ts'

/** The sentence that contains a position of the e-book, else the next one that is spoken. */
export function sentenceAround(inStep: InStep, locator: string): Sentence | undefined {
  const at = collapse(locator)
  return inText(inStep).find(({ cfi }) => compare(collapse(cfi, true), at) > 0)
}

/** The first sentence that begins on a page, so that listening from there doesn't turn the page back. */
export function firstSentenceFrom(inStep: InStep, locator: string): Sentence | undefined {
  const at = collapse(locator)
  return inText(inStep).find(({ cfi }) => compare(collapse(cfi), at) >= 0)
}

const inText = ({ chapters }: InStep) =>
  chapters.flatMap(({ sentences }) => sentences.filter(({ cfi }) => cfi !== ''))

/**
 * The audio place that matches the e-book's newer place; undefined if the audiobook's own place is newer. If another
 * device read far behind what was heard here, the listener is asked which one is right.
 */
export async function placeFromReading(
  ownerUuid: string,
  slug: string,
  eBook: string,
): Promise<ChapterSeconds | undefined> {
  const { place, reading } = await bothPlaces(ownerUuid, slug, eBook)
  if (!reading || (place && place.heardAtMs >= reading.readAtMs)) return undefined
  const read = await soundOf(ownerUuid, slug, reading)
  if (!read) return undefined
  if (place && (await isConflict(place, read))) {
    const { heardAtMs, chapter, seconds, eventId, deviceId } = place
    const here = { chapter, seconds, eventId, deviceId, heardAt: new Date(heardAtMs).toISOString() }
    await placesDb.use(ownerUuid, (db) =>
      db.twoPlaces.put({ slug, here, there: read, foundAtMs: Date.now() }),
    )
    return undefined
  }
  return { chapter: read.chapter, seconds: read.seconds }
}

/** The other device is more than two minutes behind what this one has played, so playing from there would repeat it. */
async function isConflict(place: LocalPlace, read: DatedPlace): Promise<boolean> {
  const device = await thisDeviceId()
  if (place.deviceId !== device || read.deviceId === null || read.deviceId === device) return false
  return read.chapter === place.chapter
    ? place.seconds - read.seconds > TWO_PLACES_SECONDS
    : read.chapter < place.chapter
}

/** Where the e-book's place is in the sound; undefined without sentences, or if it isn't spoken. */
export async function readPlace(ownerUuid: string, slug: string): Promise<DatedPlace | undefined> {
  const reading = await placesDb.use(ownerUuid, async (db) => {
    const { [slug]: eBook } = await formatPairsIn(db)
    return eBook === undefined ? undefined : db.readings.get(eBook)
  })
  return reading && soundOf(ownerUuid, slug, reading)
}

async function soundOf(
  ownerUuid: string,
  slug: string,
  { slug: eBook, locator, readAtMs, deviceId }: ReadingPlace,
): Promise<DatedPlace | undefined> {
  const inStep = await inStepOf(ownerUuid, slug)
  const sentence = inStep?.eBook === eBook ? firstSentenceFrom(inStep, locator) : undefined
  return (
    sentence && {
      ...{ chapter: sentence.chapter, seconds: sentence.start, eventId: null, deviceId },
      ...{ heardAt: new Date(readAtMs).toISOString(), isRead: true },
    }
  )
}

/** Whether a position of an e-book comes before another one. */
export const isBefore = (locator: string, other: string): boolean =>
  compare(collapse(locator), collapse(other)) < 0

/** The text place that matches the audiobook's newer place; undefined if the e-book's own place is newer. */
export async function locatorFromListening(
  ownerUuid: string,
  slug: string,
  eBook: string,
): Promise<string | undefined> {
  const { place, reading } = await bothPlaces(ownerUuid, slug, eBook)
  if (!place || (reading && reading.readAtMs >= place.heardAtMs)) return undefined
  const inStep = await inStepOf(ownerUuid, slug)
  return inStep?.eBook === eBook ? sentenceAt(inStep, place)?.cfi || undefined : undefined
}

export interface OtherFormat {
  readonly key: TitleKey
  readonly hasSpokenEBook: boolean
}

/** The same title in the other format, if this device knows where its sentences are spoken. Sends no request. */
export async function otherFormat(ownerUuid: string, key: TitleKey): Promise<OtherFormat | undefined> {
  const slug = slugOfKey(key)
  const pairs = await readPairs(ownerUuid)
  const pair = pairs.find(
    ({ audioBook, eBook }) => slug === (formatOfKey(key) === 'audio' ? audioBook : eBook),
  )
  if (!pair?.eBook) return undefined
  const { eBook, audioBook, hasSpokenEBook } = pair
  return {
    key: formatOfKey(key) === 'audio' ? titleKey('ebook', eBook) : titleKey('audio', audioBook),
    hasSpokenEBook,
  }
}

const readPairs = async (ownerUuid: string) =>
  (await soundDb.use(ownerUuid, (db) => db.inStep.toArray())).map(({ slug, file }) => ({
    audioBook: slug,
    ...splitInStep(new Uint8Array(file)),
  }))

const bothPlaces = (ownerUuid: string, slug: string, eBook: string) =>
  placesDb.use(ownerUuid, async (db) => {
    const [place, reading] = await Promise.all([db.places.get(slug), db.readings.get(eBook)])
    return { place, reading }
  })
