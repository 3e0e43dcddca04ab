import { updateProved } from '../../auth/session-queries.ts'
import type { Caller } from '../../auth/access.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { provesPassword } from './passwords.ts'

/** @throws 422 for a wrong password, 429 after too many */
export async function proveIdentity(
  shop: Shop,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
  password: string,
): Promise<void> {
  if (!(await provesPassword(shop, userId, password))) throw unprocessable('password', 'Invalid credentials.')
  await updateProved(shop.db, sessionId, shop.now())
  noteSecurity(shop, 'identity_proved', { userId, sessionId })
}
