import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../settings/config.ts'
import { keysFor } from '../../settings/keys.ts'

type KeysOf = Pick<Config, 'appKeys'>

/** An email has a token in its link, and a code to type if the link would open in a different browser. */
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
 * A code is short enough to be found by brute force in a stolen database, so its hash needs a key that is not in the
 * database. The request id is part of the hash: the same code of two users has two different hashes.
 */
export const hashOfCode = (config: KeysOf, requestId: string, code: string): string =>
  underKey(keysFor(config, 'mailed-code')[0], requestId, code)

export const codeMatches = (config: KeysOf, requestId: string, code: string, hash: string): boolean =>
  keysFor(config, 'mailed-code').some((key) => {
    const given = Buffer.from(underKey(key, requestId, code))
    const kept = Buffer.from(hash)
    return given.length === kept.length && timingSafeEqual(given, kept)
  })

/**
 * Accepts the code with hyphens, with spaces or with neither. Returns its digits, or undefined if the text cannot be a
 * code.
 */
export function typedCode(text: string): string | undefined {
  const digits = text.replaceAll(/[\s\p{Pd}]/gu, '')
  return /^\d{8}$/.test(digits) ? digits : undefined
}

const underKey = (key: Buffer, requestId: string, code: string) =>
  createHmac('sha256', key)
    .update(`${requestId} ${code.replaceAll('-', '')}`)
    .digest('base64url')
