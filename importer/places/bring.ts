import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'
import { selectPerson } from '#server/features/account/queries.ts'
import { chapterOffsetsOf, eventStore } from '#server/features/listening/service.ts'
import type { ChapterOffsets } from '#server/features/listening/place-order.ts'
import type { Shop } from '#server/shop.ts'
import type { ForeignPlace, ForeignPlaces } from './read-places.ts'
import { namesIn, personOf, slugOf } from '#server/features/catalogue/names.ts'

export interface Brought {
  readonly stand: number
  /** The listener has a later place in the shop. */
  readonly later: number
  readonly notBegun: number
  readonly unmatched: readonly string[]
}

/** Relative difference in length above which it is another recording, where the same second is another sentence. */
const SAME_RECORDING = 0.05
const PLACES_PER_BATCH = 250

/** With the times of the file; the listening service resolves conflicts, so a second run changes nothing. */
export async function bringPlaces(
  shop: Shop,
  { places, unread }: ForeignPlaces,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Brought> {
  const keep = eventStore(shop)
  const unmatched = [...unread]
  const heard: Heard[] = []
  let notBegun = 0
  for (const [who, theirs] of Map.groupBy(places, (place) => place.who)) {
    const person = who === '' ? undefined : await selectPerson(shop.db, who)
    const own = person ? await ownTitles(shop.db, person.id) : []
    for (const place of theirs) {
      const found = person
        ? await findPlace(place, own, (slug) => chapterOffsetsOf(shop, slug))
        : `nobody here has the address ${who || '(none)'}`
      if (typeof found === 'string') unmatched.push(`${who}, “${place.title}”: ${found}.`)
      else if (found === null) notBegun++
      else heard.push({ ...found, userId: person!.id })
    }
  }
  let stand = 0
  if (!dryRun)
    for (let from = 0; from < heard.length; from += PLACES_PER_BATCH) {
      const kept = await Promise.all(
        heard.slice(from, from + PLACES_PER_BATCH).map(async ({ userId, slug, ...spot }) => {
          const event = { ...spot, eventId: eventIdOf(userId, slug, spot) }
          return (await keep(userId, slug, event)).bookTime.eventId === event.eventId
        }),
      )
      stand += kept.filter(Boolean).length
    }
  return {
    stand: dryRun ? heard.length : stand,
    later: dryRun ? 0 : heard.length - stand,
    notBegun,
    unmatched,
  }
}

interface Spot {
  readonly chapter: number
  readonly seconds: number
  readonly heardAt: string
}

interface Heard extends Spot {
  readonly userId: string
  readonly slug: string
}

/** Null if the title was not begun; a text says why it was not found. */
async function findPlace(
  place: ForeignPlace,
  own: readonly OwnTitle[],
  timelineOf: (slug: string) => Promise<ChapterOffsets | null>,
): Promise<(Spot & { readonly slug: string }) | string | null> {
  const { seconds, isFinished, heardAtMs, lengthSeconds } = place
  const title = matchTitle(own, place)
  if (typeof title === 'string') return title
  if (seconds === 0 && !isFinished) return null
  if (heardAtMs === undefined) return 'does not say when it was heard ("lastUpdate")'
  const chapters = [...((await timelineOf(title.slug))?.chapters ?? [])].sort(([one], [two]) => one - two)
  const last = chapters.at(-1)
  if (!last) return 'has no sound here'
  const whole = last[1].startsAtSeconds + last[1].seconds
  if (lengthSeconds && Math.abs(lengthSeconds - whole) > SAME_RECORDING * whole)
    return `is another recording: ${minutes(lengthSeconds)} there, ${minutes(whole)} here`
  const at = isFinished ? whole : Math.min(seconds, whole)
  const [chapter, { startsAtSeconds }] =
    chapters.findLast(([, { startsAtSeconds: start }]) => start <= at && (start < whole || start === 0)) ??
    last
  return {
    slug: title.slug,
    chapter,
    seconds: at - startsAtSeconds,
    heardAt: new Date(heardAtMs).toISOString(),
  }
}

const minutes = (seconds: number): string => `${Math.round(seconds / 60)} minutes`

/** The same place always gets the same id, so it is stored once. */
function eventIdOf(userId: string, slug: string, { chapter, seconds, heardAt }: Spot): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([userId, slug, chapter, seconds, heardAt]))
    .digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

async function ownTitles(db: Db, userId: string): Promise<OwnTitle[]> {
  const { rows } = await db.execute<{ slug: string; title: string; authors: string[] }>(sql`
    select b.slug, b.title, coalesce(
      (select json_agg(trim(concat(p.first_name, ' ', p.last_name)) order by bp.position)
       from book_people bp join people p on p.id = bp.person_id
       where bp.book_id = b.id and bp.role = 'author'), '[]'::json) as authors
    from library_entries l join books b on b.id = l.book_id
    where l.user_id = ${userId} and b.format = 'audio_book'
    order by b.id`)
  return rows
}

export interface OwnTitle {
  readonly slug: string
  readonly title: string
  readonly authors: readonly string[]
}

/** With or without subtitle, and by an author's surname if one is given. Returns the reason if there is no match. */
export function matchTitle(
  own: readonly OwnTitle[],
  { title, author }: { readonly title: string; readonly author: string | undefined },
): OwnTitle | string {
  const whole = own.filter((each) => keyOf(each.title) === keyOf(title))
  const short = own.filter((each) => keyOf(shortOf(each.title)) === keyOf(shortOf(title)))
  const named = whole.length > 0 ? whole : short
  if (named.length === 0) return 'no audiobook of this name is in their library here'
  const surnames = new Set(author === undefined ? [] : namesIn(author).map(surnameOf))
  const fitting =
    surnames.size === 0
      ? named
      : named.filter(
          ({ authors }) => authors.length === 0 || authors.some((name) => surnames.has(surnameOf(name))),
        )
  const [one, more] = fitting
  if (!one) return `here it is by ${named[0]!.authors.join(' and ')}, there by ${author}`
  return more ? 'several titles of this name are in their library here' : one
}

const keyOf = (title: string): string => slugOf(title) || title.toLowerCase().trim()
const shortOf = (title: string): string => title.split(/:\s/, 1)[0]!
const surnameOf = (name: string): string => keyOf(personOf(name).lastName)
