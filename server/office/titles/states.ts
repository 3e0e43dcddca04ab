import type { TitleState } from '#contract/office/titles.ts'
import { act } from '../../features/activity/service.ts'
import { followSource, isState, setState } from '../../features/catalogue/title-states.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import type { State } from '../../db/schema/catalogue.ts'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { counted } from '../../print/table.ts'
import type { Shop } from '../../shop.ts'
import { type OfficeTitle, selectOfficeTitles, selectSourceOfBook, selectTouched } from './queries.ts'

interface StatePlan {
  readonly titles: readonly OfficeTitle[]
  readonly rows: readonly {
    readonly id: number
    readonly title: string
    readonly format: OfficeTitle['format']
    readonly now: TitleState
    readonly becomes: TitleState
    readonly note: string | null
    readonly isRefused: boolean
  }[]
  readonly touches: readonly string[]
}

export async function planStates(
  shop: Shop,
  { ids, state }: { readonly ids: readonly number[]; readonly state: State },
): Promise<StatePlan> {
  const titles = await selectOfficeTitles(
    shop.db,
    { ids },
    { sorting: { key: 'title', isDescending: false }, limit: ids.length, now: shop.clock.now() },
  )
  if (titles.length < ids.length) throw notFound('One of these titles is gone.')
  const { bags, gifts, owners } = await selectTouched(shop.db, ids, shop.clock.now())
  const leaves = state !== 'on-sale'
  const many = (count: number, one: string, more: string) => (count === 1 ? one : `${count} ${more}`)
  return {
    titles,
    rows: titles.map((title) => {
      const lacks = title.missing.filter((part) => part === 'price' || part === 'sound' || part === 'text')
      const isRefused = state === 'draft' && title.owners > 0
      const isHeld = state === 'on-sale' && lacks.length > 0
      return {
        id: title.id,
        title: title.title,
        format: title.format,
        now: title.state,
        becomes: isHeld ? 'not-on-sale' : state,
        isRefused,
        note: isRefused
          ? 'Somebody owns it, so it can’t be a draft again. Retire it instead.'
          : isHeld
            ? `Not sold until it has ${lacks.map((part) => (part === 'price' ? 'a price' : part)).join(' and ')}.`
            : null,
      }
    }),
    touches: [
      ...(leaves && bags > 0
        ? [
            `${many(bags, 'One person has', 'people have')} one of these in their bag, and can’t buy it any more.`,
          ]
        : []),
      ...(leaves && gifts > 0
        ? [`${many(gifts, 'One present waits', 'presents wait')} to be opened, and still can be.`]
        : []),
      ...(leaves && owners > 0 ? [`${many(owners, 'One person owns', 'people own')} it, and keeps it.`] : []),
      'No import changes it back.',
    ],
  }
}

const DONE: Readonly<Record<State, string>> = {
  'on-sale': 'Put on sale',
  draft: 'Made a draft of',
  listed: 'Listed without selling',
  retired: 'Retired',
}

export async function setStates(
  shop: Shop,
  staff: StaffCaller,
  { ids, state }: { readonly ids: readonly number[]; readonly state: State },
): Promise<{ entry: number; what: string }> {
  const { titles, rows } = await planStates(shop, { ids, state })
  const held = rows.find(({ isRefused }) => isRefused)
  if (held) throw refused(`${held.title}: ${held.note}`)
  const before: Record<string, LogbookValue> = {}
  for (const { id, slug, format } of titles)
    before[`${format === 'audio_book' ? 'audiobook' : 'e-book'} ${slug}`] =
      (await selectSourceOfBook(shop.db, id)).stateByCommand ?? FOLLOWS
  const what = `${DONE[state]} ${titles.length === 1 ? titles[0]!.title : counted(titles.length, 'title')}`
  const { entry } = await act(shop, staff, {
    kind: 'titles state',
    about: titles.length === 1 ? `title ${titles[0]!.slug}` : 'states',
    what,
    before,
    after: state,
    carryOut: async () => {
      for (const title of titles) await setState(shop.db, title, state)
    },
  })
  return { entry, what }
}

const FOLLOWS = 'as its folder says'

/** What an entry of the log says that the states were. */
export const formerStates = (before: LogbookValue) =>
  Object.entries(typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {}).map(
    ([key, state]) => ({
      title: {
        slug: key.slice(key.indexOf(' ') + 1),
        format: key.startsWith('audiobook ') ? ('audio_book' as const) : ('e_book' as const),
      },
      state: isState(state) ? state : null,
    }),
  )

export async function restoreStates(shop: Shop, before: LogbookValue): Promise<void> {
  for (const { title, state } of formerStates(before))
    await (state === null ? followSource(shop.db, title, 'state') : setState(shop.db, title, state))
}
