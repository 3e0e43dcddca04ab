import { Command } from '@commander-js/extra-typings'
import { type Group, group } from './command-line.ts'
import { withDatabase } from './open-shop.ts'
import { loadDetails } from '../db/shop-queries.ts'
import { formatPounds } from '../format.ts'
import { WEBHOOK_EVENTS, WEBHOOK_PATH } from '../integrations/stripe/events.ts'
import { openProvider } from '../integrations/stripe/provider.ts'
import { membershipPrices, type SetUpOutcome } from '../integrations/stripe/prices.ts'
import { readConfig } from '../settings/config.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { takeShopFile } from '../features/shop-details/follow.ts'

export const paymentsCommand: Group = ({ run }) =>
  group('payments', [
    new Command('set-up')
      .description(
        'Makes the prices of your memberships at the payment provider, also after you have changed them, and lists the events that the provider must send to the shop. Run it as often as you like.',
      )
      .action(() => run(setUp)),
  ])

const SAID: Readonly<Record<SetUpOutcome, string>> = {
  right: 'was there already',
  made: 'made',
  replaced: 'costs something else now; members keep the price at which they joined',
}

async function setUp(): Promise<void> {
  const { payments } = readConfig()
  if (!payments)
    throw new BadSetting(
      'Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET first. Without keys the demo has a sandbox of its own.',
    )
  const { publicUrl, prices } = await withDatabase(async ({ db, config }) => {
    // The owner may have saved the file a moment ago, before the running shop has read it.
    const mistakes = await takeShopFile({ config, db })
    if (mistakes.length > 0) throw new BadSetting(mistakes.map((says) => `shop.json ${says}`).join('\n'))
    await loadDetails(db, config.details)
    return { publicUrl: config.publicUrl, prices: membershipPrices(config.details.plans) }
  })
  const outcomes = await openProvider(payments).billing.prices.setUp(prices)
  for (const { key, name, amountMinor } of prices)
    console.log(`${name}, ${formatPounds(amountMinor)}: ${SAID[outcomes.get(key) ?? 'right']}.`)
  console.log(`
Let the provider send these events to ${publicUrl}${WEBHOOK_PATH}
${WEBHOOK_EVENTS.map((type) => `  ${type}`).join('\n')}

In the provider's settings for failed payments: try again for four weeks, then cancel the subscription; let it send no mails
of its own. In those for renewals: tell of an invoice seven days before. PayPal has to be on, for payments that come again too.`)
}
