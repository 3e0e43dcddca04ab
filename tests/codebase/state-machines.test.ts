import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import type { StateMachine } from '#server/db/state-machine.ts'
import { SUBSCRIPTION_STATES } from '#server/features/membership/subscription-state.ts'
import { ORDER_STATES } from '#server/features/orders/order-state.ts'
import { REFUND_STATES } from '#server/features/refunds/refund-state.ts'
import { testDatabase } from '#tests/support/database.ts'

/** With the other columns that a row needs. */
const MACHINES: readonly { readonly machine: StateMachine<string>; readonly row: string }[] = [
  {
    machine: ORDER_STATES,
    row: `fingerprint = 'f', total_minor = 0, vat_minor = 0, before_discount_minor = 0, buyer_name = '', buyer_email = '', country_code = 'GB'`,
  },
  {
    machine: REFUND_STATES,
    row: `reason = 'owner', key = gen_random_uuid()::text, amount_minor = 1, created_at = now(), updated_at = now()`,
  },
  {
    machine: SUBSCRIPTION_STATES,
    row: `plan = 4, period_start = now(), period_end = now(), valid_until = now()`,
  },
]

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const triggerOf = ({ table, column, next }: StateMachine<string>): string => {
  const changes = Object.entries(next).flatMap(([from, states]) => states.map((to) => `${from} > ${to}`))
  const values = [column, ...changes].map((value) => `'${value}'`).join(', ')
  return `CREATE TRIGGER ${table}_transitions AFTER UPDATE ON public.${table} FOR EACH ROW WHEN ((old.${column} <> new.${column})) EXECUTE FUNCTION check_transition(${values})`
}

test('each table of states has a trigger with the same changes, and no other table has one', async () => {
  const { rows } = await database.pool.query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger
      where not tgisinternal and tgfoid = 'check_transition'::regproc`,
  )
  const expected = MACHINES.map(({ machine }) => triggerOf(machine))
  expect(rows.map(({ definition }) => definition).toSorted()).toEqual(expected.toSorted())
})

test.each(MACHINES)(
  'the database allows a change of $machine.table in the table of states, and refuses all others',
  async ({ machine: { table, column, next }, row }) => {
    const states = Object.keys(next)
    const columns = row.split(', ').map((assignment) => assignment.split(' = ') as [string, string])
    const insert = `insert into ${table} (${column}, ${columns.map(([name]) => name).join(', ')})
      values ($1, ${columns.map(([, value]) => value).join(', ')}) returning id`
    const allowed: Record<string, string[]> = Object.fromEntries(states.map((from) => [from, []]))
    for (const from of states)
      for (const to of states.filter((state) => state !== from)) {
        const { rows } = await database.pool.query<{ id: string }>(insert, [from])
        const change = database.pool.query(`update ${table} set ${column} = $1 where id = $2`, [
          to,
          rows[0]!.id,
        ])
        const isAllowed = await change.then(
          () => true,
          (error: Error) => {
            expect(error.message).toBe(`${table}: ${from} > ${to} is not allowed`)
            return false
          },
        )
        if (isAllowed) allowed[from]!.push(to)
      }
    const sorted = Object.entries(next).map(([from, after]) => [from, after.toSorted()])
    expect(Object.entries(allowed).map(([from, after]) => [from, after.toSorted()])).toEqual(sorted)
  },
)
