import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import {
  type StateMachine,
  ORDER_STATES,
  PAYMENT_STATES,
  REFUND_STATES,
  STATEMENT_STATES,
  TITLE_GIFT_STATES,
  MEMBERSHIP_GIFT_STATES,
  SUBSCRIPTION_STATES,
  WITHDRAWAL_STATES,
} from '#server/db/state-machines.ts'
import { testDatabase } from '#tests/support/database.ts'

interface Tried {
  readonly machine: StateMachine<string>
  /** The other columns that a row needs. */
  readonly row: string
  /** For a state that the database derives: the column that it is derived from, in the order of precedence. */
  readonly times?: Readonly<Record<string, string>>
  /** For a state that the database derives from several columns: their values in each state. */
  readonly columns?: Readonly<Record<string, string>>
  /** Another refusal that a change may meet. */
  readonly refusal?: string
}

const MACHINES: readonly Tried[] = [
  {
    machine: ORDER_STATES,
    row: `fingerprint = 'f', total_minor = 0, vat_minor = 0, before_discount_minor = 0, buyer_name = '', buyer_email = '', country_code = 'GB'`,
  },
  {
    machine: PAYMENT_STATES,
    row: `order_id = gen_random_uuid()`,
    times: { paid: 'type', created: 'intent_id' },
  },
  {
    machine: REFUND_STATES,
    row: `reason = 'owner', key = gen_random_uuid()::text, amount_minor = 1, created_at = now(), updated_at = now()`,
  },
  {
    machine: SUBSCRIPTION_STATES,
    row: `plan = 4, period_start = now(), period_end = now(), valid_until = now()`,
  },
  {
    machine: WITHDRAWAL_STATES,
    row: `plan = 4, period_start = now(), period_end = now(), valid_until = now()`,
    columns: {
      none: `withdrawn_at = null, status = 'active'`,
      recorded: `withdrawn_at = now(), status = 'active'`,
      ended: `withdrawn_at = now(), status = 'canceled'`,
    },
    // Leaving `ended` also brings a cancelled membership back, which the other table refuses first.
    refusal: 'subscriptions: canceled > active is not allowed',
  },
  {
    machine: TITLE_GIFT_STATES,
    row: `book_id = 1, giver_name = '', email = '', token_hash = gen_random_uuid()::text, code_hash = gen_random_uuid()::text`,
    times: { revoked: 'revoked_at', taken_back: 'taken_back_at', claimed: 'claimed_at' },
  },
  {
    machine: MEMBERSHIP_GIFT_STATES,
    row: `plan = 5, giver_name = '', paid_minor = 1, given_at = now(), email = '', zone = 'UTC', deliver_at = now()`,
    times: {
      revoked: 'revoked_at',
      suspended: 'suspended_at',
      taken_back: 'taken_back_at',
      lapsed: 'lapsed_at',
      begun: 'begun_at',
      claimed: 'claimed_at',
      sent: 'sent_at',
    },
  },
  {
    machine: STATEMENT_STATES,
    row: `fingerprint = gen_random_uuid()::text, name = '', email = '', contract = '', stated_at = now()`,
    times: { settled: 'settled_at', open: 'checked_at' },
  },
]

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
  // Payments are tried without their orders.
  await database.pool.query('alter table payments drop constraint payments_order_id_orders_id_fk')
})
afterAll(() => database.close())

const triggerOf = ({ table, column, next }: StateMachine<string>): string => {
  const changes = Object.entries(next).flatMap(([from, states]) => states.map((to) => `${from} > ${to}`))
  const values = [column, ...changes].map((value) => `'${value}'`).join(', ')
  const name = table === 'subscriptions' && column !== 'status' ? `${table}_${column}` : table
  return `CREATE TRIGGER ${name}_transitions AFTER UPDATE ON public.${table} FOR EACH ROW WHEN ((old.${column} <> new.${column})) EXECUTE FUNCTION check_transition(${values})`
}

test('each table of states has a trigger with the same changes, and no other table has one', async () => {
  const { rows } = await database.pool.query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger
      where not tgisinternal and tgfoid = 'check_transition'::regproc`,
  )
  const expected = MACHINES.map(({ machine }) => triggerOf(machine))
  expect(rows.map(({ definition }) => definition).toSorted()).toEqual(expected.toSorted())
})

/** Sets a state: its column, or the one time that the database derives it from. */
function assignmentOf({ machine, times, columns }: Tried, state: string): string {
  if (columns) return columns[state]!
  if (!times) return `${machine.column} = '${state}'`
  return Object.entries(times)
    .map(([name, time]) => `${time} = ${name === state ? 'now()' : 'null'}`)
    .join(', ')
}

test.each(MACHINES)(
  'the database allows a change of $machine.table in the table of states, and refuses all others',
  async (tried) => {
    const { table, column, next } = tried.machine
    const { pool } = database
    await pool.query(
      `insert into books (id, format, slug, title, price_minor) values (1, 'e_book', 's', 't', 1) on conflict do nothing`,
    )
    const allowed = new Map<string, string[]>()
    for (const from of Object.keys(next)) {
      allowed.set(from, [])
      for (const to of Object.keys(next).filter((state) => state !== from)) {
        const assignments = `${assignmentOf(tried, from)}, ${tried.row}`.split(', ')
        const [names, values] = [0, 1].map((part) =>
          assignments.map((each) => each.split(' = ')[part]!).join(', '),
        )
        const { rows } = await pool.query<{ id: string; state: string }>(
          `insert into ${table} (${names}) values (${values}) returning id, ${column} as state`,
        )
        expect(rows[0]!.state).toBe(from)
        const change = `update ${table} set ${assignmentOf(tried, to)} where id = $1 returning ${column} as state`
        const outcome = await pool.query<{ state: string }>(change, [rows[0]!.id]).then(
          (changed) => changed.rows[0]!.state,
          (error: Error) => error.message,
        )
        expect([to, `${table}: ${from} > ${to} is not allowed`, tried.refusal]).toContain(outcome)
        if (outcome === to) allowed.get(from)!.push(to)
      }
    }
    const sorted = (each: Iterable<readonly [string, readonly string[]]>) =>
      [...each].map(([from, after]) => [from, after.toSorted()])
    expect(sorted(allowed)).toEqual(sorted(Object.entries(next)))
  },
)

test('a withdrawal is never undone', async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into subscriptions (plan, period_start, period_end, valid_until, status, withdrawn_at)
      values (4, now(), now(), now(), 'canceled', now()) returning id`,
  )
  await expect(
    database.pool.query(`update subscriptions set withdrawn_at = null where id = $1`, [rows[0]!.id]),
  ).rejects.toThrow('subscriptions: ended > none is not allowed')
})
