import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../settings/config.ts'
import { keysFor } from '../../settings/keys.ts'

// A token has the session's id, a secret, and a MAC ("seal") over both: 64 bytes, 86 characters in base64url.
const ID_BYTES = 16
const SECRET_BYTES = 32
const SEAL_BYTES = 16

export interface RefreshTokens {
  first(sessionId: string): string
  /**
   * The successor of a token. It is computed, not stored, so that repeated requests with one token within the grace
   * period get the same successor. Has several values only during a rotation of the application keys, newest first.
   */
  successors(token: string): readonly [string, ...string[]]
  /** The session of a token that this shop issued; null for any other text. */
  sessionOf(token: string): string | null
}

/**
 * A refresh token contains its session id, so the session is found by primary key, and the reuse of an old token
 * reveals theft. The seal stops a stranger who knows a session id from ending that session with an invented token.
 */
export function refreshTokens(config: Pick<Config, 'appKeys'>): RefreshTokens {
  const keys = keysFor(config, 'refresh-token')

  const sealed = (key: Buffer, sessionId: Buffer, secret: Buffer): string =>
    Buffer.concat([sessionId, secret, sealOf(key, Buffer.concat([sessionId, secret]))]).toString('base64url')

  const successor = (key: Buffer, bytes: Buffer): string =>
    sealed(key, bytes.subarray(0, ID_BYTES), createHmac('sha256', key).update('next').update(bytes).digest())

  return {
    first: (sessionId) => sealed(keys[0], bytesOf(sessionId), randomBytes(SECRET_BYTES)),
    successors(token) {
      const bytes = Buffer.from(token, 'base64url')
      const [newest, ...older] = keys
      return [successor(newest, bytes), ...older.map((key) => successor(key, bytes))]
    },
    sessionOf(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== ID_BYTES + SECRET_BYTES + SEAL_BYTES) return null
      // The same bytes have several base64url spellings. Accept only ours, because the text is hashed and compared.
      if (bytes.toString('base64url') !== token) return null
      const body = bytes.subarray(0, ID_BYTES + SECRET_BYTES)
      const seal = bytes.subarray(ID_BYTES + SECRET_BYTES)
      const isOurs = keys.some((key) => timingSafeEqual(sealOf(key, body), seal))
      return isOurs ? uuidOf(bytes.subarray(0, ID_BYTES)) : null
    },
  }
}

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url')

const sealOf = (key: Buffer, body: Buffer): Buffer =>
  createHmac('sha256', key).update('seal').update(body).digest().subarray(0, SEAL_BYTES)

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
