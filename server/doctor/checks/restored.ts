import { selectRestoration } from '../../jobs/queries.ts'
import { type Check, fine, look } from '../finding.ts'

/** A restored shop asks the provider for all changes before it runs any other job. */
export const checkRestored: Check = async ({ db }) => {
  const restoration = await selectRestoration(db)
  if (!restoration) return fine('The shop knows what the payment provider knows.')
  const day = restoration.backupMadeAt.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return look(
    `The shop is that of ${day}, and still asks the payment provider what happened since. It does so while it runs; until then it renews, reminds and pays back nothing.`,
  )
}
