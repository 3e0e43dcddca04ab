import { isDeepStrictEqual } from 'node:util'
import * as contract from '#contract/office/profiles.ts'
import { PROFILE_KINDS, type ProfileKind } from '#contract/office/profiles.ts'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import { act, type Undoable } from '../../features/activity/service.ts'
import { notifyInstances } from '../../features/catalogue/queries.ts'
import { notFound, refused, unprocessable } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Shop } from '../../shop.ts'
import { exportList } from '../csv.ts'
import { readPlace, writePlace } from '../keyset.ts'
import { readParts } from '../list-query.ts'
import { countProfiles, type ProfileRow, selectProfile, selectProfiles, updateProfile } from './queries.ts'

interface Named {
  readonly kind: ProfileKind
  readonly id: number
}
/** Null follows the folder. */
interface OwnWords {
  readonly about: string | null
  readonly website: string | null
}

export function registerOfficeProfiles(server: ApiServer): void {
  const { shop } = server

  serve(server, contract.listProfiles, async ({ query: { after, limit = 50, part, ...filter } }) => {
    const place = readPlace(after, { value: 'text', id: 'whole' })
    const last = place === undefined ? undefined : String(place.value)
    const [found, totals] = await readParts(
      part,
      () => selectProfiles(shop.db, filter, { after: last, limit: limit + 1 }),
      async () => ({ total: await countProfiles(shop.db, filter), sums: {} }),
    )
    const rows = found.slice(0, limit)
    return {
      rows: rows.map(profileView),
      next: found.length > limit ? writePlace({ value: rows.at(-1)!.place, id: '0' }) : null,
      ...totals,
    }
  })

  serve(server, contract.exportProfiles, async ({ query, ...call }) =>
    exportList(shop, call, {
      list: 'authors and publishers',
      count: await countProfiles(shop.db, query),
      fetchPage: (after, limit) =>
        selectProfiles(shop.db, query, { after: after && String(after.value), limit }),
      placeOf: ({ place }) => ({ value: place, id: '0' }),
      head: ['Name', 'Kind', 'Titles', 'About', 'Website', 'Set here'],
      cells: ({ name, kind, titles, about, website, ownAbout, ownWebsite }) => [
        name,
        kind === 'person' ? 'author or narrator' : 'publisher',
        titles,
        about ?? '',
        website ?? '',
        ownAbout === null && ownWebsite === null ? '' : 'yes',
      ],
    }),
  )

  serve(server, contract.getProfile, async ({ params }) => profileView(await profileOf(shop, params)))

  serve(server, contract.changeProfile, async ({ params, body, staff }) => {
    const row = await profileOf(shop, params)
    const after = { about: body.about?.trim() ?? null, website: websiteIn(row, body.website) }
    const before = ownWordsOf(row)
    if (isDeepStrictEqual(before, after))
      return { entry: null, what: `Nothing about ${row.name} has changed` }
    const what = `Changed what the page of ${row.name} says`
    const { entry } = await act(shop, staff, {
      kind: 'profiles change',
      about: `profile ${row.kind} ${row.id}`,
      ...{ what, before, after },
      carryOut: () => store(shop, row, after),
    })
    return { entry, what }
  })
}

/** Refused if the text was changed again after this act. */
export const UNDO_PROFILE: Undoable = {
  may: 'titles.change',
  async undo(shop, { command, about, before, after }) {
    const row = await profileOf(shop, namedIn(about))
    if (!isDeepStrictEqual(ownWordsOf(row), ownWordsIn(after)))
      throw refused(`The page of ${row.name} has been changed since.`)
    return {
      kind: command,
      about,
      what: `Put back what the page of ${row.name} said`,
      ...{ before: after, after: before },
      carryOut: () => store(shop, row, ownWordsIn(before)),
    }
  },
}

async function store(shop: Shop, of: Named, words: OwnWords): Promise<void> {
  await updateProfile(shop.db, of, words)
  await notifyInstances(shop.db)
}

/** @throws 404 */
async function profileOf(shop: Shop, of: Named): Promise<ProfileRow> {
  const row = await selectProfile(shop.db, of)
  if (!row) throw notFound('There is no such author, narrator or publisher.')
  return row
}

/** @throws 422 for anything but a web address, and for a person's */
function websiteIn({ kind }: Named, typed: string | null): string | null {
  const website = typed?.trim() ?? null
  if (website === null || website === '') return website
  if (kind === 'person') throw refused('Only publishers have a website here.')
  if (!/^https?:$/.test(URL.parse(website)?.protocol ?? ''))
    throw unprocessable('website', 'A web address begins with https:// or http://.')
  return website
}

const ownWordsOf = ({ ownAbout, ownWebsite }: ProfileRow): OwnWords & Record<string, LogbookValue> => ({
  about: ownAbout,
  website: ownWebsite,
})

function ownWordsIn(value: LogbookValue | null): OwnWords {
  const textIn = (field: string) => {
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : null
    return typeof text === 'string' ? text : null
  }
  return { about: textIn('about'), website: textIn('website') }
}

function namedIn(about: string): Named {
  const [, typed, id] = about.split(' ')
  const kind = PROFILE_KINDS.find((each) => each === typed)
  if (!kind) throw notFound()
  return { kind, id: Number(id) }
}

const profileView = (row: ProfileRow): contract.Profile => ({
  kind: row.kind,
  id: row.id,
  name: row.name,
  path: row.slug === null ? null : `/${row.kind === 'person' ? 'people' : 'publishers'}/${row.slug}`,
  titles: row.titles,
  about: row.about,
  website: row.website,
  folder: { about: row.folderAbout, website: row.folderWebsite },
  isSetHere: row.ownAbout !== null || row.ownWebsite !== null,
})
