import { randomBytes } from 'node:crypto'

/** Crockford's alphabet: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** To be typed: 80 random bits, as it is printed, in groups of four. */
export function newCode(): string {
  const code = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte & 31]).join('')
  return code.replace(/(.{4})(?!$)/g, '$1-')
}

/**
 * Reads a typed code: in any case, with or without hyphens and spaces, O for nought and I or L for one. Null for a
 * text that is no code.
 */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return CODE.test(code) ? code : null
}
