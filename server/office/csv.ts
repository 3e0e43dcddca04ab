import type { FastifyReply } from 'fastify'
import { CSV_MARK, csvLine } from '../print/table.ts'
import type { StaffCaller } from '../auth/staff.ts'
import type { Shop } from '../shop.ts'
import { act } from '../features/activity/service.ts'

type Cells = readonly (string | number)[]

/**
 * Answers with a spreadsheet, and writes into the activity log who took which data. Its endpoint is `fresh`: what is
 * exported can't be called back.
 */
export async function exportCsv(
  shop: Shop,
  { staff, reply }: { readonly staff: StaffCaller; readonly reply: FastifyReply },
  {
    list,
    head,
    rows,
  }: { readonly list: string; readonly head: readonly string[]; readonly rows: readonly Cells[] },
): Promise<undefined> {
  await act(shop, staff, {
    kind: `${list} export`,
    about: `list ${list}`,
    what: `Downloaded ${rows.length.toLocaleString('en-GB')} rows as CSV`,
    carryOut: async () => undefined,
  })
  await reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'private, no-store')
    .send(CSV_MARK + [head, ...rows].map(csvLine).join(''))
  return undefined
}
