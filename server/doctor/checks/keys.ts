import { fingerprintOf } from '../../codes/check-key.ts'
import { broken, type Check, fine } from '../finding.ts'
import { selectFingerprint } from '../queries.ts'

export const checkKeys: Check = async ({ config, db }) => {
  const noted = await selectFingerprint(db)
  if (noted !== undefined && noted !== fingerprintOf(config))
    return broken(
      'CODE_KEY is not the key that cards and gifts were made with: none of them opens. Bring it back; it is in each backup.',
    )
  return fine(
    `The code key fits, and there ${config.appKeys.length === 1 ? 'is 1 app key' : `are ${config.appKeys.length} app keys`}.`,
  )
}
