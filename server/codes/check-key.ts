import { createHmac } from 'node:crypto'
import { BadSetting } from '../settings/bad-setting.ts'
import type { Config } from '../settings/config.ts'
import type { Db } from '../db/open.ts'
import { noteFingerprint } from '../db/shop-queries.ts'

/** With another key no customer could redeem a code any more. @throws {BadSetting} */
export async function checkCodeKey(db: Db, config: Pick<Config, 'codeKey'>): Promise<void> {
  const fingerprint = fingerprintOf(config)
  if ((await noteFingerprint(db, fingerprint)) !== fingerprint)
    throw new BadSetting(
      'CODE_KEY is not the key that this shop’s codes were made with, so none of them would open anything. ' +
        'Bring the key back: it is set as CODE_KEY, or lies in DATA_DIR as code.key.',
    )
}

export const fingerprintOf = ({ codeKey }: Pick<Config, 'codeKey'>): string =>
  createHmac('sha256', codeKey).update('murmur fingerprint').digest('base64url')
