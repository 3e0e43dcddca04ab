import { selectExisting } from '../../start/startup-queries.ts'
import { type Check, counted, fine, look } from '../finding.ts'
import { selectWithNothingToDeliver } from '../queries.ts'

export const checkOnSale: Check = async ({ db, config }) => {
  const { hasTitles, withoutFile } = await selectExisting(db)
  if (!hasTitles) return look('There are no books yet: npm run import -- FOLDER brings yours in.')
  const empty = config.demo ? [] : await selectWithNothingToDeliver(db)
  if (empty.length > 0)
    return look(
      `${counted(empty.length, 'title is', 'titles are')} on sale without sound or text, for example ${empty[0]}. Import its files, or deliver it yourself.`,
    )
  return withoutFile === 0
    ? fine('Everything that is on sale can be delivered.')
    : look(
        `${counted(withoutFile, 'title has a price and is', 'titles have a price and are')} not on sale, because sound or text is missing.`,
      )
}
