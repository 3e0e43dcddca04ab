import { resultOf, inOneLine } from '../checks/check.ts'
import { hasDemoAccounts } from '../checks/queries.ts'
import { SHOP_CHECKS } from '../checks/table.ts'
import { todoInWords, todoList } from '../checks/todo.ts'
import { inviteOnThisMachine } from '../features/staff/invitations.ts'
import { wrongPrices } from '../features/membership/join.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import type { Shop } from '../shop.ts'

export const accountsOfTheDemo = `
Demo shop. Log in with any of these, password: murmur-demo
  reader@murmur.example      Reader monthly, two audiobooks, one half heard
  nell@murmur.example        no membership, one audiobook and two e-books
  shelf@murmur.example       24 books in both formats
  empty@murmur.example       nothing at all
All the others are named in content/demo/accounts.json. Pay with the card 4242 4242 4242 4242, any later
date and any code: no money moves. Stop with Ctrl-C.
`.trimStart()

/** Anyone could log in to these accounts of a public shop and take its books. */
const DEMO_ACCOUNTS_REFUSED =
  'This is not the demo (PUBLIC_URL, HOST or another setting says so), but its database holds the demo’s accounts, ' +
  'whose password everybody knows. Start an empty shop (DATA_DIR=./shop npm start, or npm start -- --fresh), ' +
  'or say which you mean: DEMO=1 shows the demo, DEMO=0 opens the shop with these accounts in it.'

const DEMO_ACCOUNTS_OPEN = 'Careful: this shop holds the demo’s accounts, whose password everybody knows.'

/**
 * Refuses a real shop with the demo's public accounts unless `DEMO` is set explicitly; then returns a warning.
 *
 * @throws {BadSetting} after closing the database
 */
export async function refuseDemoAccounts({
  config,
  db,
  database,
}: Pick<Shop, 'config' | 'db' | 'database'>): Promise<string | undefined> {
  if (config.demo || !(await hasDemoAccounts(db))) return undefined
  if (config.demoIsSaid) return DEMO_ACCOUNTS_OPEN
  await database.close()
  throw new BadSetting(DEMO_ACCOUNTS_REFUSED)
}

/** Its address has no mailbox, so no email can lead into a demo's office. */
const DEMO_OWNER = 'owner@murmur.example'

export const linkToOffice = async (shop: Pick<Shop, 'db' | 'now' | 'config'>): Promise<string> =>
  `The office, where the shop is run (this link works once, in a browser on this machine):
  ${await inviteOnThisMachine(shop, DEMO_OWNER)}
`

type Started = Pick<Shop, 'config' | 'db' | 'database' | 'media' | 'payments' | 'billing' | 'now' | 'clock'>

export async function whatIsMissing(shop: Started): Promise<string[]> {
  const given = { ...shop, wrongPrices: async () => [], isDeep: false }
  const sentences: string[] = []
  for (const check of SHOP_CHECKS)
    if (check.atStart === 'always' || (check.atStart === 'unless demo' && !shop.config.demo))
      sentences.push(...(await resultOf(check, given)).problems.map(inOneLine))
  return sentences
}

/** Prints and logs the to-do list. It waits for the payment provider, so the start does not wait for it. */
export async function announceTodo(shop: Started & Pick<Shop, 'log'>): Promise<void> {
  const list = await todoList(shop, () => wrongPrices(shop).catch(() => []))().catch(() => [])
  if (list.length > 0) console.log(todoInWords(list))
  for (const { kind, key } of list) shop.log.warn({ todo: kind, key }, 'this needs a person')
}
