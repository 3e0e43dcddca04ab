import { answerHelp, command, withDatabase } from '../../commands/command.ts'
import { loadDetails } from '../../db/shop-details-rows.ts'
import { formatPounds } from '../../format.ts'
import { WEBHOOK_EVENTS, WEBHOOK_PATH } from '../../outside/stripe/events.ts'
import { membershipPrices } from '../../outside/stripe/membership-prices.ts'
import { openProvider } from '../../outside/stripe/open-provider.ts'
import type { SetUpOutcome } from '../../outside/stripe/prices.ts'
import { PaymentsUnavailable } from '../../outside/stripe/problems.ts'
import { unwatched } from '../../outside/stripe/watched.ts'
import { BadSetting, readConfig } from '../../settings/config.ts'
import { takeShopFile } from '../shop-details/rules.ts'

const USAGE = `Usage: npm run payments:set-up

Makes the prices of your memberships at the payment provider, also after you have changed them, and lists the events that the
provider must send to the shop. Run it as often as you like.`

/** `npm run payments:set-up`: what the owner's account at the provider needs before anybody can join. */
const SAID: Readonly<Record<SetUpOutcome, string>> = {
  right: 'was there already',
  made: 'made',
  replaced: 'costs something else now; members keep the price at which they joined',
}

await command(async () => {
  answerHelp(USAGE)
  const { payments } = readConfig()
  if (!payments)
    throw new BadSetting(
      'Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET first. Without keys the demo has a sandbox of its own.',
    )
  const { publicUrl, prices } = await withDatabase(async ({ db, config }) => {
    // What its owner saved a moment ago, which a running shop may not have seen yet.
    const mistakes = await takeShopFile({ config, db })
    if (mistakes.length > 0) throw new BadSetting(mistakes.map((says) => `shop.json ${says}`).join('\n'))
    await loadDetails(db, config.details)
    return { publicUrl: config.publicUrl, prices: membershipPrices(config.details.plans) }
  })
  const outcomes = await openProvider(payments, unwatched()).billing.prices.setUp(prices)
  for (const { key, name, amountMinor } of prices)
    console.log(`${name}, ${formatPounds(amountMinor)}: ${SAID[outcomes.get(key) ?? 'right']}.`)
  console.log(`
Let the provider send these events to ${publicUrl}${WEBHOOK_PATH}
${WEBHOOK_EVENTS.map((type) => `  ${type}`).join('\n')}

In the provider's settings for failed payments: try again for four weeks, then cancel the subscription; let it send no mails
of its own. In those for renewals: tell of an invoice seven days before. PayPal has to be on, for payments that come again too.`)
}, [PaymentsUnavailable])
