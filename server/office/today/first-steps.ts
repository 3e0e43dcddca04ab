import type { StaffCaller } from '../../auth/staff.ts'
import { inOneLine, type CheckedShop, type Result } from '../../checks/check.ts'
import { checkBackups, checkMailServer } from '../../checks/machine.ts'
import { checkPaymentKeys } from '../../checks/payments.ts'
import { checkIsNamed, checkOnSale, checkPages } from '../../checks/titles-and-pages.ts'
import { selectPasskeys } from '../../features/staff/queries.ts'
import type { Shop } from '../../shop.ts'

/** What a new shop has to do. The steps tick themselves from the checks that the doctor uses, and leave together. */
export async function firstSteps(shop: Shop, { role, staffId }: StaffCaller) {
  if (role !== 'owner') return []
  const checked: CheckedShop = { ...shop, wrongPrices: async () => [], isDeep: false }
  const passkeys = await selectPasskeys(shop.db, [staffId])
  const steps = [
    step('name', 'Give the shop its name and look', checkIsNamed(checked)),
    step('title', 'Bring in your first books', await checkOnSale(checked)),
    step('mail', 'Set up email', checkMailServer(checked)),
    step('payments', 'Take payments', checkPaymentKeys(checked)),
    step('pages', 'Write the pages the law asks for', await checkPages(checked)),
    step('backup', 'Have backups made', await checkBackups(shop.config, shop.now())),
    {
      id: 'passkey',
      title: 'Add a second passkey',
      isDone: passkeys.length > 1,
      help: 'One lost phone shouldn’t lock you out.',
    },
  ]
  return steps.every(({ isDone }) => isDone) ? [] : steps
}

/** Where the office has the remedy; other checks say theirs, which is on the server. */
const HELP: Readonly<Record<string, string>> = {
  name: 'Its name, its colours and a logo, on every page and in every email.',
  title: 'Drop a folder, and set a price.',
  pages: 'An imprint, terms and privacy. Each says what is still to fill in.',
}

const step = (id: string, title: string, { problems }: Result) => ({
  id,
  title,
  isDone: problems.length === 0,
  help: problems[0] ? (HELP[id] ?? inOneLine(problems[0])) : '',
})
