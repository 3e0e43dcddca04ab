import { randomBytes } from 'node:crypto'

/** Crockford's alphabet: without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** A code to be typed: 80 random bits, printed in groups of four. */
export function newCode(): string {
  const code = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte & 31]).join('')
  return code.replace(/(.{4})(?!$)/g, '$1-')
}

/**
 * Normalises a typed code: upper case, without hyphens and spaces, O read as 0, I and L as 1. Null if the text is not a
 * code.
 */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return CODE.test(code) ? code : null
}
