import * as contract from '#contract/office/activity.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { exportList } from '../csv.ts'
import { readParts } from '../list-query.ts'
import { readPlace, writePlace } from '../keyset.ts'
import { UNDOABLE_ACTS } from '../undoable-acts.ts'
import { startOfDay } from '../../settings/days.ts'
import { type ActivityFilter, countActivity, selectActivity, selectActivityFacets } from './queries.ts'
import { type ShownEntry, undoEntry, valueWords, withUndo } from './service.ts'

export function registerActivity(server: ApiServer): void {
  const { shop } = server
  const filterOf = ({
    since,
    ...filter
  }: Omit<ActivityFilter, 'since'> & { since?: string }): ActivityFilter => ({
    ...filter,
    since: since === undefined ? undefined : startOfDay(since, shop.config.shopZone),
  })

  serve(server, contract.listActivity, async ({ query, staff }) => {
    const filter = filterOf(query)
    const limit = query.limit ?? 50
    const after = readPlace(query.after, { value: 'none', id: 'whole' })
    const [[found, totals], facets] = await Promise.all([
      readParts(
        query.part,
        () => selectActivity(shop.db, filter, { before: after && Number(after.id), limit: limit + 1 }),
        async () => ({ total: await countActivity(shop.db, filter), sums: {} }),
      ),
      selectActivityFacets(shop.db),
    ])
    const entries = found.slice(0, limit)
    const last = found.length > limit ? entries.at(-1) : undefined
    return {
      rows: (await withUndo(shop, UNDOABLE_ACTS, entries, staff)).map(entryReply),
      next: last ? writePlace({ value: null, id: String(last.id) }) : null,
      ...totals,
      ...facets,
    }
  })
  serve(server, contract.exportActivity, async ({ query, ...call }) => {
    const filter = filterOf(query)
    return exportList(shop, call, {
      count: await countActivity(shop.db, filter),
      fetchPage: (after, limit) =>
        selectActivity(shop.db, filter, { before: after && Number(after.id), limit }),
      placeOf: ({ id }) => ({ id: String(id), value: null }),
      list: 'activity',
      head: ['When', 'Who', 'Kind', 'About', 'What', 'Why', 'Before', 'After', 'Outcome'],
      cells: (entry) => [
        entry.at.toISOString(),
        entry.by,
        entry.command,
        entry.about,
        entry.what,
        entry.because,
        valueWords(entry.before) ?? '',
        valueWords(entry.after) ?? '',
        entry.outcome ?? 'unfinished',
      ],
    })
  })
  serve(server, contract.undo, async ({ params, staff }) => {
    const { entry, what, about } = await undoEntry(shop, UNDOABLE_ACTS, staff, params.id)
    return { entry, what, about, at: shop.now().toISOString() }
  })
}

const entryReply = ({ entry, canUndo, whyNot, undone }: ShownEntry) => ({
  id: entry.id,
  at: entry.at.toISOString(),
  by: entry.by,
  kind: entry.command,
  about: entry.about,
  what: entry.what,
  because: entry.because,
  before: valueWords(entry.before),
  after: valueWords(entry.after),
  outcome: entry.outcome,
  canUndo,
  whyNot,
  undone: undone && { by: undone.by, at: undone.at.toISOString() },
})
