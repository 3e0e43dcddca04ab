import { selectExisting } from '../../start/startup-queries.ts'
import { PAGES_BY_LAW } from '../../start/welcome.ts'
import { type Check, fine, look } from '../finding.ts'

export const checkPages: Check = async ({ db, config }) => {
  const { pages, hasAddress, hasVatNumber } = await selectExisting(db)
  const missing = Object.entries(PAGES_BY_LAW).filter(([slug]) => !pages.includes(slug))
  if (missing.length > 0)
    return look(
      `The law asks for ${missing.map(([, what]) => what).join(', ')}. npm run new-shop -- --pages drafts them; import ${missing.map(([slug]) => `pages/${slug}.md`).join(', ')}.`,
    )
  const { seller } = config.details.file
  if (!(hasAddress || seller?.address) || !(hasVatNumber || seller?.vatNumber))
    return look('Receipts lack your address or VAT number: npm run new-shop asks for them.')
  return fine('The pages that the law asks for are there.')
}
