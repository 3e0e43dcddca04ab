import * as contract from '#contract/office/withdrawals.ts'
import { act, type Undoable } from '../../features/activity/service.ts'
import { findOrders } from '../../features/orders/service.ts'
import { selectStatement, type StatementRow } from '../../features/withdrawals/queries.ts'
import {
  refundBy,
  refuseUnsettleable,
  settleStatement,
  unsettleStatement,
} from '../../features/withdrawals/service.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Shop } from '../../shop.ts'

export function registerOfficeWithdrawals(server: ApiServer): void {
  const { shop } = server

  serve(server, contract.getWithdrawal, async ({ params: { id } }) => {
    const row = await statementOf(shop, id)
    const orders = await findOrders(shop.db, row.email)
    return {
      id,
      name: row.name,
      email: row.email,
      contract: row.contract,
      scope: row.scope,
      statedAt: row.statedAt.toISOString(),
      refundBy: refundBy(row).toISOString(),
      problem: row.problem,
      isChecked: row.checkedAt !== null,
      settledAt: row.settledAt?.toISOString() ?? null,
      orders: orders.map(({ order, titles }) => ({
        number: order.number,
        at: order.createdAt.toISOString(),
        titles,
        state: order.state,
      })),
    }
  })

  serve(server, contract.settleWithdrawal, async ({ params: { id }, body: { because }, staff }) => {
    const row = await statementOf(shop, id)
    refuseUnsettleable(row)
    const { entry } = await act(shop, staff, {
      kind: 'withdrawals settle',
      about: `withdrawal ${id}`,
      userId: row.userId,
      what: 'Settled a statement of withdrawal',
      because,
      carryOut: () => settleStatement(shop, row),
    })
    return { entry }
  })
}

export const UNDO_SETTLED: Undoable = {
  may: 'orders.refund',
  async undo(shop, { about, userId }) {
    const { id, settledAt } = await statementOf(shop, about.replace(/^withdrawal /, ''))
    if (!settledAt) throw refused('This statement is open again already.')
    return {
      kind: 'withdrawals open',
      about,
      userId,
      what: 'Opened a statement of withdrawal again',
      carryOut: () => unsettleStatement(shop, id),
    }
  },
}

async function statementOf({ db }: Shop, id: string): Promise<StatementRow> {
  const row = await selectStatement(db, id)
  if (!row) throw notFound()
  return row
}
