import { type Group, showCommand } from './command-line.ts'
import { withShop } from './open-shop.ts'
import { takesPayments } from '../integrations/stripe/payments.ts'
import { counted } from '../print/table.ts'
import { auditAll, auditDue, openFindings } from '../features/audit/service.ts'

export const auditCommand: Group = ({ run }) =>
  showCommand('audit')
    .description(
      'Compares payments, orders, libraries, free audiobooks and the payment provider’s records: account by account, then order by order for guests and deleted accounts. Changes nothing. Inconsistencies are printed with a remedy and added to the to-do list (npm run todo), until an audit finds them resolved. The shop does the same each night for everything that changed. Exits with 1 if something is inconsistent.',
    )
    .option('--all', 'All accounts and orders, also those that haven’t changed since the last audit')
    .action((options) => run(() => audit(options)))

const SECOND_LOOK_MS = 2000

function audit({ all, json }: { readonly all?: true | undefined; readonly json?: true | undefined }) {
  return withShop(async (shop) => {
    const stopped = new AbortController()
    process.once('SIGINT', () => stopped.abort())
    const options = { signal: stopped.signal, secondLookMs: SECOND_LOOK_MS, paceMs: 50 }
    const { accounts, orders } = all
      ? await auditAll(shop, options)
      : await auditDue(shop, shop.now(), options)
    const open = await openFindings(shop.db, 1000)
    if (json) console.log(JSON.stringify({ accounts, orders, findings: open }, null, 2))
    else {
      for (const { key, what, remedy } of open) console.log(`${key}\n  ${what}\n  → ${remedy}\n`)
      if (!takesPayments(shop.payments))
        console.log('No payment provider is set up, so only the shop’s own books were compared.')
      console.log(
        `${counted(accounts, 'account')} and ${counted(orders, 'order')} without an account looked at. ${open.length === 0 ? 'Everything agrees.' : `${open.length} to look at.`}${stopped.signal.aborted ? ' It was stopped before the end.' : ''}`,
      )
    }
    return open.length === 0 ? 0 : 1
  })
}
