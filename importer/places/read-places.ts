import { BadSetting } from '#server/settings/bad-setting.ts'

export interface ForeignPlace {
  /** Email address, or empty if the file has none. */
  readonly who: string
  readonly title: string
  readonly author: string | undefined
  /** From the beginning of the whole title. */
  readonly seconds: number
  readonly lengthSeconds: number | undefined
  readonly isFinished: boolean
  readonly heardAtMs: number | undefined
}

export interface ForeignPlaces {
  readonly places: readonly ForeignPlace[]
  readonly unread: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

const FORMS =
  'It holds either { "ADDRESS": [{ "title": …, "currentTime": … }] }, or Audiobookshelf’s answers as { "users": [/api/me], "items": [/api/libraries/ID/items] }.'

/** @throws `BadSetting` for anything but Audiobookshelf's API responses or a list of titles per email address */
export function readPlaces(json: string): ForeignPlaces {
  let whole: Json | undefined
  try {
    whole = objectOf(JSON.parse(json.replace(/^\uFEFF/, '')))
  } catch {
    throw new BadSetting(`The file is not valid JSON. ${FORMS}`)
  }
  if (!whole) throw new BadSetting(`The file holds no object. ${FORMS}`)
  const users = Array.isArray(whole.users) ? whole.users : 'mediaProgress' in whole ? [whole] : undefined
  if (users) return ofServer(users, itemsIn(whole.items))
  const lists = Object.entries(whole)
  if (lists.length === 0 || !lists.every(([, list]) => Array.isArray(list)))
    throw new BadSetting(`The file has another form. ${FORMS}`)
  return together(
    lists.flatMap(([who, list]) =>
      arrayOf(list).map((each, index) => {
        const line = objectOf(each) ?? {}
        const title = textIn(line.title)
        return title
          ? foreignPlace(who, { title, author: textIn(line.author) }, line)
          : `${who}, line ${index + 1}: has no title.`
      }),
    ),
  )
}

interface Item {
  readonly title: string
  readonly author: string | undefined
}

function ofServer(users: readonly unknown[], items: ReadonlyMap<string, Item>): ForeignPlaces {
  return together(
    users.flatMap((each) => {
      const user = objectOf(each) ?? {}
      const who = textIn(user.email) ?? textIn(user.username) ?? ''
      return arrayOf(user.mediaProgress).map((given) => {
        const progress = objectOf(given) ?? {}
        const id = textIn(progress.libraryItemId) ?? ''
        const item = items.get(id)
        if (item) return foreignPlace(who, item, progress)
        return textIn(progress.episodeId)
          ? `${who}: ${id} is a podcast’s.`
          : `${who}: the item ${id} is not among "items", so its title is not known.`
      })
    }),
  )
}

function itemsIn(given: unknown): ReadonlyMap<string, Item> {
  const pages = arrayOf(given).length > 0 ? arrayOf(given) : [given]
  const items = pages.flatMap((page) => objectOf(page)?.results ?? [page]).flat()
  return new Map(
    items.flatMap((each) => {
      const item = objectOf(each) ?? {}
      const metadata = objectOf(objectOf(item.media)?.metadata) ?? {}
      const [id, title] = [textIn(item.id), textIn(metadata.title)]
      const authors = arrayOf(metadata.authors).flatMap((author) => textIn(objectOf(author)?.name) ?? [])
      const author = textIn(metadata.authorName) ?? (authors.join('; ') || undefined)
      return id && title ? [[id, { title, author }] as const] : []
    }),
  )
}

const foreignPlace = (who: string, { title, author }: Item, line: Json): ForeignPlace => ({
  who,
  title,
  author,
  seconds: numberIn(line.currentTime) ?? 0,
  lengthSeconds: numberIn(line.duration),
  isFinished: line.isFinished === true,
  heardAtMs: timeOf(line.lastUpdate),
})

const together = (lines: readonly (ForeignPlace | string)[]): ForeignPlaces => ({
  places: lines.filter((line) => typeof line !== 'string'),
  unread: lines.filter((line) => typeof line === 'string'),
})

const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.trim() || undefined : undefined
const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** Milliseconds since 1970, or a date as text. */
function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : numberIn(value)
  return ms === undefined || Number.isNaN(ms) ? undefined : ms
}
