import { createHmac, randomBytes } from 'node:crypto'
import { keysFor } from '../../keys.ts'
import type { Shop } from '../../shop.ts'

/** Crockford's alphabet: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE = /^[0-9A-HJKMNP-TV-Z]{16}$/

export interface GiftSecrets {
  /** For the link: 256 bits. */
  readonly token: string
  /** To be typed: 80 bits, in groups of four. */
  readonly code: string
}

export function newSecrets(): GiftSecrets {
  const code = [...randomBytes(16)].map((byte) => ALPHABET[byte & 31]).join('')
  return { token: randomBytes(32).toString('base64url'), code: code.replace(/(.{4})(?!$)/g, '$1-') }
}

type Keys = Pick<Shop, 'config'>

export const hashesOf = (shop: Keys, { token, code }: GiftSecrets) => ({
  tokenHash: hashes(shop, token)[0]!,
  codeHash: hashes(shop, plainCode(code))[0]!,
})

/** The hashes of a token or code, one for each key that is still accepted. */
export function possibleHashes(shop: Keys, given: string): { column: 'token' | 'code'; hashes: string[] } {
  const code = plainCode(given)
  return CODE.test(code)
    ? { column: 'code', hashes: hashes(shop, code) }
    : { column: 'token', hashes: hashes(shop, given.trim()) }
}

/** In any case, with or without hyphens and spaces, O for nought and I or L for one. */
const plainCode = (given: string): string =>
  given.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

// Keyed, because whoever has the table could try out all the short codes.
const hashes = ({ config }: Keys, secret: string): string[] =>
  keysFor(config, 'gift-code').map((key) => createHmac('sha256', key).update(secret).digest('base64url'))
