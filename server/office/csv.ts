import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { CSV_MARK, csvLine } from '../print/table.ts'
import type { StaffCaller } from '../auth/staff.ts'
import type { Shop } from '../shop.ts'
import { act } from '../features/activity/service.ts'
import type { Place } from './keyset.ts'

type Cells = readonly (string | number)[]

interface Sheet {
  readonly list: string
  readonly head: readonly string[]
}

interface Call {
  readonly staff: StaffCaller
  readonly reply: FastifyReply
}

/**
 * Answers with a spreadsheet, and writes into the activity log who took which data. Its endpoint is `fresh`: what is
 * exported can't be called back.
 */
export const exportCsv = (
  shop: Shop,
  call: Call,
  { rows, ...sheet }: Sheet & { readonly rows: readonly Cells[] },
): Promise<undefined> =>
  send(shop, call, { ...sheet, count: rows.length, lines: [rows.map(csvLine).join('')] })

const PAGE = 2_000

interface List<Row> extends Sheet {
  /** Of all rows, for the log. */
  readonly count: number
  readonly fetchPage: (after: Place | undefined, limit: number) => Promise<readonly Row[]>
  readonly placeOf: (row: Row) => Place
  readonly cells: (row: Row) => Cells
}

/** Sends a list of any length page by page, so that memory doesn't grow with it. */
export const exportList = <Row>(
  shop: Shop,
  call: Call,
  { fetchPage, placeOf, cells, ...sheet }: List<Row>,
): Promise<undefined> => {
  async function* lines(): AsyncGenerator<string> {
    for (let after: Place | undefined; ;) {
      const page = await fetchPage(after, PAGE)
      yield page.map((row) => csvLine(cells(row))).join('')
      if (page.length < PAGE) return
      after = placeOf(page.at(-1)!)
    }
  }
  return send(shop, call, { ...sheet, lines: lines() })
}

async function send(
  shop: Shop,
  { staff, reply }: Call,
  {
    list,
    head,
    count,
    lines,
  }: Sheet & { readonly count: number; readonly lines: Iterable<string> | AsyncIterable<string> },
): Promise<undefined> {
  await act(shop, staff, {
    kind: `${list} export`,
    about: `list ${list}`,
    what: `Downloaded ${count.toLocaleString('en-GB')} rows as CSV`,
    carryOut: async () => undefined,
  })
  async function* file(): AsyncGenerator<string> {
    yield CSV_MARK + csvLine(head)
    yield* lines
  }
  await reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'private, no-store')
    .send(Readable.from(file()))
  return undefined
}
