import type { StaffCaller } from '../../auth/staff.ts'
import { inOneLine, type CheckedShop, type Result } from '../../checks/check.ts'
import { checkBackups, checkMailServer } from '../../checks/machine.ts'
import { checkPaymentKeys } from '../../checks/payments.ts'
import { checkIsNamed, checkOnSale, checkPagesByLaw, checkSeller } from '../../checks/titles-and-pages.ts'
import type { Shop } from '../../shop.ts'

/**
 * What a new shop has to do. The steps tick themselves from the checks that the doctor uses, and leave together. A step
 * of several parts is done after the last of them; `part` is the next one.
 */
export async function firstSteps(shop: Shop, { role }: StaffCaller) {
  if (role !== 'owner') return []
  const checked: CheckedShop = { ...shop, wrongPrices: async () => [], isDeep: false }
  const steps = [
    step('Give the shop its name and look', {
      name: checkIsNamed(checked),
      pages: await checkPagesByLaw(checked),
      seller: await checkSeller(checked),
    }),
    step('Bring in your first books', { title: await checkOnSale(checked) }),
    step('Set up email', { mail: checkMailServer(checked) }),
    step('Take payments', { payments: checkPaymentKeys(checked) }),
    step('Have backups made', { backup: await checkBackups(shop.config, shop.now()) }),
  ]
  return steps.every(({ isDone }) => isDone) ? [] : steps
}

/** Where the office has the remedy; other checks say theirs, which is on the server. */
const HELP: Readonly<Record<string, string>> = {
  name: 'Its name, its colours and a logo, on every page and in every email.',
  title: 'Drop a folder, and set a price.',
  pages: 'It has a name. Now an imprint, terms and privacy; each says what is still to fill in.',
  seller: 'Nearly there: receipts need your postal address and your VAT number.',
}

function step(title: string, parts: Readonly<Record<string, Result>>) {
  const [first] = Object.keys(parts)
  const next = Object.entries(parts).find(([, { problems }]) => problems.length > 0)
  return {
    id: first!,
    title,
    isDone: next === undefined,
    part: next?.[0] ?? null,
    help: next ? (HELP[next[0]] ?? inOneLine(next[1].problems[0]!)) : '',
  }
}
