import { selectExisting } from '../../start/startup-rows.ts'
import { type Check, fine, look } from '../finding.ts'
import { selectWithNothingToDeliver } from '../rows.ts'

/** Who pays gets something. */
export const checkOnSale: Check = async ({ db, config }) => {
  const { hasTitles, withoutFile } = await selectExisting(db)
  if (!hasTitles) return look('There are no books yet: npm run import -- FOLDER brings yours in.')
  const empty = config.demo ? [] : await selectWithNothingToDeliver(db)
  if (empty.length > 0)
    return look(
      `${empty.length} titles are on sale without sound or text, for example ${empty[0]}. Import it with its files, or deliver it yourself.`,
    )
  return withoutFile === 0
    ? fine('Everything that is on sale can be delivered.')
    : look(`${withoutFile} titles have a price and are not on sale, because their sound or text is missing.`)
}
