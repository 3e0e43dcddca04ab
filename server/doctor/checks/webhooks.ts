import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { takesPayments } from '../../integrations/stripe/payments.ts'
import { WEBHOOK_PATH } from '../../integrations/stripe/events.ts'
import { broken, type Check, counted, fine } from '../finding.ts'
import { selectUnknownEvents } from '../queries.ts'

/** By then the webhook and the job that reads the provider's event list have both had a chance. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS
const ASKED_FOR = 100

export const checkWebhooks: Check = async ({ payments, config, db, now }) => {
  if (!takesPayments(payments)) return fine('There is no payment provider that reports anything.')
  const ids: string[] = []
  try {
    const until = new Date(now().getTime() - SETTLED_AFTER_MS)
    for await (const { id } of payments.listEvents({ since: new Date(until.getTime() - 2 * DAY_MS), until }))
      if (ids.push(id) === ASKED_FOR) break
  } catch {
    return broken('The events could not be asked for, because the payment provider did not answer.')
  }
  const unknown = await selectUnknownEvents(db, ids)
  if (unknown > 0)
    return broken(
      `Of the provider’s last ${counted(ids.length, 'event', 'events')} ${unknown} did not arrive. Is the shop running, and does the provider send to ${config.publicUrl}${WEBHOOK_PATH}?`,
    )
  return fine(
    ids.length === 0
      ? 'The provider had nothing to report for two days.'
      : `Of the provider’s last ${counted(ids.length, 'event', 'events')} all arrived.`,
  )
}
