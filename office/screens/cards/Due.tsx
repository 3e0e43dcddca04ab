import { amount } from '#format/money.ts'
import { State } from '../../ui/State.tsx'
import { dayAndMonth } from '../../ui/when.ts'

/** Payments of statements arrive at the bank, so a member of staff says whether one was paid. */
export function Due({
  toPayMinor,
  dueOn,
  paidOn,
  now,
}: {
  readonly toPayMinor: number
  readonly dueOn: string
  readonly paidOn: string | null
  readonly now: Date
}) {
  const due = new Date(`${dueOn}T12:00:00Z`)
  if (paidOn !== null)
    return <State kind="done">Paid on {dayAndMonth(new Date(`${paidOn}T12:00:00Z`))}</State>
  if (toPayMinor === 0) return <State kind="done">Nothing to pay</State>
  if (toPayMinor < 0) return <State kind="half">You pay {amount(-toPayMinor)}</State>
  return due < now ? (
    <State kind="look">Was due {dayAndMonth(due)}</State>
  ) : (
    <State kind="later">Due {dayAndMonth(due)}</State>
  )
}
