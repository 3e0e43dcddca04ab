import * as contract from '#contract/office/codes.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { BusinessTime } from '../../clock.ts'
import { couponCode } from '#contract/limits.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import { act, type Act, type Undoable } from '../../features/activity/service.ts'
import { planCodes } from '../../features/discounts/make-codes.ts'
import { countTaken, updateStopped } from '../../features/discounts/queries.ts'
import { findDiscount } from '../../features/discounts/service.ts'
import { formatPounds } from '../../format.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Shop } from '../../shop.ts'
import { exportList } from '../csv.ts'
import { readParts } from '../list-query.ts'
import { readPlace, writePlace } from '../keyset.ts'
import { type CodeWithCost, selectCodesWithCost, sumCodes } from './queries.ts'

export function registerOfficeCodes(server: ApiServer): void {
  const { shop } = server

  serve(server, contract.listOfficeCodes, async ({ query: { after, limit = 50, words, state, part } }) => {
    const now = shop.clock.now()
    const place = readPlace(after, { value: 'text', id: 'whole' })
    const last = place === undefined ? undefined : String(place.value)
    const [found, totals] = await readParts(
      part,
      () => selectCodesWithCost(shop.db, { words, state }, { after: last, limit: limit + 1, now }),
      async () => {
        const { count, costMinor } = await sumCodes(shop.db, { words, state }, now)
        return { total: count, sums: { costMinor } }
      },
    )
    const shown = found.slice(0, limit)
    return {
      rows: await Promise.all(shown.map((row) => listed(shop, row, now))),
      next: found.length > limit ? writePlace({ value: shown.at(-1)!.code, id: '0' }) : null,
      ...totals,
    }
  })

  serve(server, contract.exportOfficeCodes, async ({ query, ...call }) => {
    const now = shop.clock.now()
    return exportList(shop, call, {
      list: 'codes',
      count: (await sumCodes(shop.db, query, now)).count,
      fetchPage: async (after, limit) => {
        const last = after && String(after.value)
        const rows = await selectCodesWithCost(shop.db, query, { after: last, limit, now })
        const page: contract.ListedCode[] = []
        // One by one, because two thousand at once would keep all connections from other requests.
        for (const row of rows) page.push(await listed(shop, row, now))
        return page
      },
      placeOf: ({ code }) => ({ value: code, id: '0' }),
      head: ['Code', 'Takes', 'Off', 'Used', 'Of', 'From', 'Until', 'State', 'Cost £', 'Sold £'],
      cells: (row) => [
        row.code,
        row.discount,
        row.target,
        row.taken,
        row.uses ?? '',
        row.startsAt ?? '',
        row.endsAt ?? '',
        row.state,
        (row.costMinor / 100).toFixed(2),
        (row.soldMinor / 100).toFixed(2),
      ],
    })
  })

  serve(server, contract.planOfficeCodes, async ({ body }) => {
    const { words } = await planOf(shop, body)
    return { words }
  })
  serve(server, contract.makeOfficeCodes, async ({ body, staff }) => {
    const { about, what, create } = await planOf(shop, body)
    const { result } = await act(shop, staff, {
      kind: 'codes make',
      about,
      what: `Made ${what}`,
      carryOut: create,
    })
    return { codes: result }
  })

  const switchTo = async (staff: StaffCaller, code: string, isStopped: boolean) => {
    const switching = await switchOf(shop, code, isStopped)
    const { entry } = await act(shop, staff, switching)
    return { entry, what: switching.what }
  }
  serve(server, contract.stopCode, ({ params: { code }, staff }) => switchTo(staff, code, true))
  serve(server, contract.startCode, ({ params: { code }, staff }) => switchTo(staff, code, false))
}

const listed = async (
  shop: Shop,
  { type, percent, amountMinor, startsAt, endsAt, ...code }: CodeWithCost,
  now: BusinessTime,
): Promise<contract.ListedCode> => ({
  ...code,
  discount: percent === null ? `${formatPounds(amountMinor ?? 0)} off` : `${percent}% off`,
  target: type,
  taken: await countTaken(shop.db, code.code, { source: null, now }),
  startsAt: startsAt === null ? null : new Date(startsAt).toISOString(),
  endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
})

const planOf = (shop: Shop, { code, amountMinor, target, months, oncePerAccount, ...body }: Body) => {
  if ((code === undefined) === (body.count === undefined)) throw refused('Name one code, or say how many.')
  return planCodes(shop, code, {
    ...body,
    amount: amountMinor,
    for: target,
    ...(oncePerAccount ? { oncePerAccount } : {}),
    ...(months === undefined ? {} : { months: months === 0 ? 'forever' : months }),
  })
}
type Body = BodyOf<typeof contract.makeOfficeCodes>

async function switchOf(shop: Shop, typed: string, isStopped: boolean): Promise<Act<void>> {
  const row = await findDiscount(shop.db, typed)
  if (!row) throw notFound(`There is no code ${couponCode(typed)}.`)
  if ((row.stoppedAt !== null) === isStopped)
    throw refused(isStopped ? `${row.code} has ended already.` : `${row.code} was not ended here.`)
  return {
    kind: isStopped ? 'codes stop' : 'codes start',
    about: `code ${row.code}`,
    what: isStopped ? `Ended the code ${row.code}` : `Let the code ${row.code} work again`,
    carryOut: () => updateStopped(shop.db, row.code, isStopped ? shop.clock.now() : null),
  }
}

const undoSwitch = (isStopped: boolean): Undoable => ({
  may: 'codes.change',
  undo: (shop, { about }) => switchOf(shop, about.replace(/^code /, ''), !isStopped),
})
export const UNDO_STOP = undoSwitch(true)
export const UNDO_START = undoSwitch(false)
