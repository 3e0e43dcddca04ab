import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../settings/config.ts'
import { keysFor } from '../../settings/keys.ts'

type KeysOf = Pick<Config, 'appKeys'>

/** A mail carries a link's token, and a code to type where the link would open in another browser. */
export interface MailedProof {
  readonly token: string
  /** Eight digits, `1234-5678`. */
  readonly code: string
}

export const newProof = (): MailedProof => {
  const digits = String(randomInt(100_000_000)).padStart(8, '0')
  return { token: randomBytes(32).toString('base64url'), code: `${digits.slice(0, 4)}-${digits.slice(4)}` }
}

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * A code is short enough to be tried out by whoever steals the database, so it is kept under a key that is not in
 * it; and it belongs to one request, so that the same code of two people looks different.
 */
export const hashOfCode = (config: KeysOf, requestId: string, code: string): string =>
  underKey(keysFor(config, 'mailed-code')[0], requestId, code)

export const codeMatches = (config: KeysOf, requestId: string, code: string, hash: string): boolean =>
  keysFor(config, 'mailed-code').some((key) => {
    const given = Buffer.from(underKey(key, requestId, code))
    const kept = Buffer.from(hash)
    return given.length === kept.length && timingSafeEqual(given, kept)
  })

/** As people type it: with hyphens, spaces or nothing between. Undefined for anything that cannot be a code. */
export function typedCode(text: string): string | undefined {
  const digits = text.replaceAll(/[\s\p{Pd}]/gu, '')
  return /^\d{8}$/.test(digits) ? digits : undefined
}

const underKey = (key: Buffer, requestId: string, code: string) =>
  createHmac('sha256', key)
    .update(`${requestId} ${code.replaceAll('-', '')}`)
    .digest('base64url')
