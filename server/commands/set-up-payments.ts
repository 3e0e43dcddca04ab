import { command } from './command.ts'
import { BadSetting, readConfig } from '../settings/config.ts'
import { formatPounds } from '../format.ts'
import { WEBHOOK_EVENTS, WEBHOOK_PATH } from '../outside/stripe/events.ts'
import { membershipPrices } from '../outside/stripe/membership-prices.ts'
import { openProvider } from '../outside/stripe/open-provider.ts'
import { unwatched } from '../outside/stripe/watched.ts'
import type { SetUpOutcome } from '../outside/stripe/prices.ts'
import { PaymentsUnavailable } from '../outside/stripe/problems.ts'

/** `npm run payments:set-up`: what the owner's account at the provider needs before anybody can join. */
const SAID: Readonly<Record<SetUpOutcome, string>> = {
  right: 'was there already',
  made: 'made',
  replaced: 'costs something else now; members keep the price at which they joined',
}

await command(async () => {
  const config = readConfig()
  if (!config.payments)
    throw new BadSetting(
      'Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET first. Without keys the demo has a sandbox of its own.',
    )
  const prices = membershipPrices()
  const outcomes = await openProvider(config.payments, unwatched()).billing.prices.setUp(prices)
  for (const { key, name, amountMinor } of prices)
    console.log(`${name}, ${formatPounds(amountMinor)}: ${SAID[outcomes.get(key) ?? 'right']}.`)
  console.log(`
Let the provider send these events to ${config.publicUrl}${WEBHOOK_PATH}
${WEBHOOK_EVENTS.map((type) => `  ${type}`).join('\n')}

In the provider's settings for failed payments: try again for four weeks, then cancel the subscription; let it send no mails
of its own. In those for renewals: tell of an invoice seven days before. PayPal has to be on, for payments that come again too.`)
}, [PaymentsUnavailable])
