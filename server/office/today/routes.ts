import * as contract from '#contract/office/today.ts'
import { type Permission, roleMay } from '#contract/office/permissions.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import { insertDone, selectDone } from '../../checks/queries.ts'
import { lastWrongPrices, type Todo, todoList } from '../../checks/todo.ts'
import { notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { act } from '../../features/activity/service.ts'
import { remedyFor } from '../remedies.ts'
import { firstSteps } from './first-steps.ts'
import { selectHasSold } from './queries.ts'
import { yesterdayOf } from './yesterday.ts'

/** What a role must be allowed to see for an entry of each kind; other kinds are the owner's. */
const KINDS: Readonly<Record<string, Permission>> = {
  payment: 'orders.refund',
  refund: 'orders.refund',
  dispute: 'orders.refund',
  withdrawal: 'orders.refund',
  order: 'orders.refund',
  membership: 'members.change',
  mail: 'emails.read',
  statement: 'cards.read',
}

export function registerToday(server: ApiServer): void {
  const { shop } = server
  const list = todoList(shop, lastWrongPrices(shop))
  const todoOf = async ({ role }: StaffCaller): Promise<Todo[]> =>
    (await list()).filter(({ kind }) => roleMay(role, KINDS[kind] ?? 'health.read'))

  serve(server, contract.getToday, async ({ staff }) => {
    const [todo, yesterday, hasSold, steps] = await Promise.all([
      todoOf(staff),
      yesterdayOf(shop, staff.role),
      selectHasSold(shop.db),
      firstSteps(shop, staff),
    ])
    return {
      ...yesterday,
      hasSold,
      steps,
      todo: todo.map(({ key, kind, what, remedy, since, userId }) => ({
        key,
        kind,
        what,
        remedy,
        since: since?.toISOString() ?? null,
        act: remedyFor(staff.role, {
          kind,
          what,
          userId,
          subject: key === kind ? null : key.slice(kind.length + 1),
        }),
        canPutAside: since !== null,
      })),
    }
  })
  serve(server, contract.putAside, async ({ body: { key }, staff }) => {
    const entry = (await todoOf(staff)).find((each) => each.key === key && each.since !== null)
    if (!entry) throw notFound()
    const before = (await selectDone(shop.db)).get(key)
    const { entry: number } = await act(shop, staff, {
      kind: 'todo done',
      about: `todo ${key}`,
      what: `Dealt with: ${entry.what}`,
      before: before?.toISOString() ?? null,
      carryOut: () => insertDone(shop.db, key, shop.now()),
    })
    return { entry: number }
  })
}
