import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { ALPHABET, RANDOM_CHARACTERS, randomCharacters, readTyped } from './cards.ts'
import type { Config } from '../settings/config.ts'
import { keysFor } from '../settings/keys.ts'

/** Each kind has its own key, so a code of one kind never matches another. */
export type CodeKind = 'gift' | 'membership_gift'

export interface Secrets {
  /** For a link; 256 random bits. */
  readonly token: string
  /** For typing; 80 random bits. */
  readonly code: string
}

export interface Hashes {
  readonly tokenHash: string
  readonly codeHash: string
}

export interface Candidates {
  readonly column: 'token' | 'code'
  readonly hashes: readonly string[]
}

export type CodeKeys = Pick<Config, 'codeKey' | 'appKeys'>

export function newSecrets(config: CodeKeys, kind: CodeKind): { secrets: Secrets; hashes: Hashes } {
  const secrets = { token: randomBytes(32).toString('base64url'), code: newCode() }
  return {
    secrets,
    hashes: {
      tokenHash: hashed(keyOf(config, kind), secrets.token),
      codeHash: hashed(keyOf(config, kind), readCode(secrets.code) ?? secrets.code),
    },
  }
}

export function candidatesOf(config: CodeKeys, kind: CodeKind, given: string): Candidates {
  const code = readCode(given)
  const keys = [keyOf(config, kind), ...formerKeys(config)]
  return {
    column: code === null ? 'token' : 'code',
    hashes: keys.map((key) => hashed(key, code ?? given.trim())),
  }
}

/**
 * The code on a gift's printed card. Derived, so that a card that is printed again has the same one. It depends on the
 * recipient's address: after a correction, a card with the former address opens nothing.
 */
export function printedCode(
  config: CodeKeys,
  kind: CodeKind,
  { id, email }: { readonly id: string; readonly email: string },
): { readonly code: string; readonly hash: string } {
  const key = Buffer.from(hkdfSync('sha256', config.codeKey, '', `murmur ${kind}-printed-code`, 32))
  const bytes = createHmac('sha256', key).update(`${id} ${email.toLowerCase()}`).digest()
  const code = [...bytes.subarray(0, RANDOM_CHARACTERS)].map((byte) => ALPHABET[byte & 31]).join('')
  return { code: inGroups(code), hash: hashed(keyOf(config, kind), code) }
}

const keyOf = ({ codeKey }: CodeKeys, kind: CodeKind): Buffer =>
  Buffer.from(hkdfSync('sha256', codeKey, '', `murmur ${kind}-code`, 32))

/** Keys of gifts that were sent before codes had their own key. */
const formerKeys = (config: CodeKeys): readonly Buffer[] => keysFor(config, 'gift-code')

// Keyed, so that a leaked table does not allow trying out the short codes.
const hashed = (key: Buffer, secret: string): string =>
  createHmac('sha256', key).update(secret).digest('base64url')

const CODE = new RegExp(`^[${ALPHABET}]{${RANDOM_CHARACTERS}}$`)

export const newCode = (): string => inGroups(randomCharacters())

const inGroups = (code: string): string => code.replace(/(.{4})(?!$)/g, '$1-')

export function readCode(typed: string): string | null {
  const code = readTyped(typed)
  return CODE.test(code) ? code : null
}
