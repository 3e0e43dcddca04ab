import { day, minute } from '../settings/days.ts'
import { changeCommand, type Group, group, showCommand } from './command-line.ts'
import { type Change, doneSoFar, rowByIdPrefix, type Shown } from './frame.ts'
import { table, tableOr } from '../print/table.ts'
import type { Shop } from '../shop.ts'
import { findOrders } from '../features/orders/service.ts'
import {
  selectOpenStatements,
  selectStatementsBy,
  type StatementRow,
} from '../features/withdrawals/queries.ts'
import { refundBy, refuseUnsettleable, settleStatement } from '../features/withdrawals/service.ts'

const LISTED_AT_MOST = 200
const ID_LETTERS = 8

export const withdrawalsCommand: Group = ({ show, change }) =>
  group('withdrawals', [
    showCommand('waiting')
      .description(
        'Lists statements of withdrawal that the shop could not carry out, with the last day to pay back',
      )
      .action((options) => show(options, waiting)),
    showCommand('show')
      .description('Shows who withdrew, from what and when, and the orders of that address')
      .argument('<id>', ID)
      .action((id, options) => show(options, (shop) => showStatement(shop, id))),
    changeCommand('settle')
      .description(
        'Removes a statement from the list, once you have refunded it or told the customer why you can’t',
      )
      .argument('<id>', ID)
      .action((id, options) => change(options, (shop) => settle(shop, id))),
  ]).description(
    'Customers withdraw on /withdraw, and their receipt is emailed at once. To refund, use npm run orders -- refund.',
  )

const ID = 'The first six letters are enough'

async function waiting({ db, config: { shopZone } }: Shop): Promise<Shown> {
  const rows = await selectOpenStatements(db, LISTED_AT_MOST)
  return {
    lines: tableOr(
      'No statement is waiting for you.',
      rows.map((row) => [
        row.id.slice(0, ID_LETTERS),
        minute(row.statedAt, shopZone),
        `pay back by ${day(refundBy(row), shopZone)}`,
        row.email,
        row.contract,
        row.problem ?? '',
      ]),
    ),
    json: rows,
  }
}

const statementBy = (shop: Shop, typed: string): Promise<StatementRow> =>
  rowByIdPrefix('statement', typed, (prefix) => selectStatementsBy(shop.db, prefix))

async function showStatement(shop: Shop, typed: string): Promise<Shown> {
  const row = await statementBy(shop, typed)
  const { shopZone } = shop.config
  const orders = await findOrders(shop.db, row.email)
  const done = await doneSoFar(shop, { about: aboutOf(row) })
  const { fingerprint: _fingerprint, ...json } = row
  return {
    lines: [
      `${row.name} <${row.email}>`,
      `  Contract: ${row.contract}`,
      `  Withdrawing from: ${row.scope ?? 'all of it'}`,
      `  Stated ${minute(row.statedAt, shopZone)}; pay back by ${day(refundBy(row), shopZone)}`,
      `  ${stateOf(row, shopZone)}`,
      '',
      orders.length === 0 ? 'No order has this address.' : 'Orders of this address',
      ...table(
        orders.map(({ order, titles }) => [
          `  ${order.number}`,
          day(order.createdAt, shopZone),
          order.state,
          titles,
        ]),
      ),
      ...done.lines,
    ],
    json: { ...json, orders: orders.map(({ order }) => order.number), logbook: done.json },
  }
}

function stateOf({ settledAt, checkedAt, problem }: StatementRow, zone: string): string {
  if (settledAt) return `Settled ${minute(settledAt, zone)}${problem === null ? ' by the shop' : ''}`
  return checkedAt
    ? `The shop could not carry it out. ${problem ?? ''}`.trim()
    : 'Will be looked at within a minute'
}

const aboutOf = ({ id }: StatementRow): string => `withdrawal ${id}`

async function settle(shop: Shop, typed: string): Promise<Change> {
  const row = await statementBy(shop, typed)
  refuseUnsettleable(row)
  return {
    about: aboutOf(row),
    userId: row.userId,
    will: ['The statement leaves the list. The customer gets no email about that: refunds have their own.'],
    what: 'settled a statement of withdrawal',
    carryOut: async () => {
      await settleStatement(shop, row)
      return { lines: ['The statement is settled.'], json: { id: row.id } }
    },
  }
}
