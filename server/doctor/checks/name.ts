import { NO_NAME } from '../../start/welcome.ts'
import { SHOP_FILE } from '../../settings/owners-details.ts'
import { broken, type Check, fine, look } from '../finding.ts'

export const checkName: Check = async ({ config }) => {
  const { readShopFile } = await import('../../features/shop-details/read-file.ts')
  const read = await readShopFile(config.dataDir)
  if (read && 'mistakes' in read) return broken(`${SHOP_FILE} ${read.mistakes.join(' ')}`)
  if (!config.details.areSaid && !config.demo && !read) return look(NO_NAME)
  return fine(`The shop is called ${read?.said.file.name ?? config.details.name}.`)
}
