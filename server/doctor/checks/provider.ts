import { MINUTE_MS } from '#contract/durations.ts'
import { takesPayments } from '../../integrations/stripe/payments.ts'
import { broken, type Check, fine, look } from '../finding.ts'

export const checkProvider: Check = async ({ payments, config, now }) => {
  if (!takesPayments(payments))
    return look(
      'Nothing can be paid for: set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
    )
  try {
    for await (const _ of payments.listPayments({ since: new Date(now().getTime() - MINUTE_MS) })) break
  } catch {
    return broken(
      'The payment provider does not answer, or does not take STRIPE_SECRET_KEY. Look at its status page and at its keys.',
    )
  }
  return payments.live || config.demo
    ? fine('The payment provider answers.')
    : look('The payment provider answers; with these test keys no money moves.')
}
