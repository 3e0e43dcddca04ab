import { randomBytes } from 'node:crypto'

/** Crockford's alphabet: without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** 80 random bits. */
export function newCode(): string {
  const code = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte & 31]).join('')
  return code.replace(/(.{4})(?!$)/g, '$1-')
}

/** Null if the text is not a code. O is read as 0, I and L as 1. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return CODE.test(code) ? code : null
}
