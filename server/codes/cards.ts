import { createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import type { Config } from '../settings/config.ts'

/** Crockford's alphabet: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_CHARACTERS = 16
const NUMBER_FIGURES = 12

/** The code inside a card: 80 random bits and a check character, in groups: `XXXX-XXXX-XXXX-XXXXX`. */
export function newCardCode(): string {
  const random = [...randomBytes(RANDOM_CHARACTERS)].map((byte) => ALPHABET[byte & 31]).join('')
  return (random + checkCharacter(random)).replace(/^(.{4})(.{4})(.{4})/, '$1-$2-$3-')
}

/** The number in front of a card: figures that say nothing, the last one a check figure (Luhn). */
export function newCardNumber(): string {
  const random = String(randomInt(10 ** (NUMBER_FIGURES - 1))).padStart(NUMBER_FIGURES - 1, '0')
  return random + luhnFigure(random)
}

/** As it is compared: in any case, with or without hyphens and spaces, O for nought and I or L for one. */
export const readTyped = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

/** False for what cannot be a card's number or code: a character is wrong, missing or too many. */
export function isWholeCard(read: string): boolean {
  const start = read.slice(0, -1)
  if (/^\d+$/.test(read) && read.length === NUMBER_FIGURES) return luhnFigure(start) === read.at(-1)
  const known = read.split('').every((character) => ALPHABET.includes(character))
  return known && read.length === RANDOM_CHARACTERS + 1 && checkCharacter(start) === read.at(-1)
}

/**
 * The hash of a code: it is stored, and a typed code is looked up by it. Keyed, because whoever has the table could
 * try codes out.
 */
export function cardHash({ codeKey }: Pick<Config, 'codeKey'>, read: string): string {
  const key = Buffer.from(hkdfSync('sha256', codeKey, '', 'murmur card-code', 32))
  return createHmac('sha256', key).update(read).digest('base64url')
}

/**
 * Each place weighs differently, by powers of the field with 32 elements, so that any one wrong character and any two that
 * changed places are noticed.
 */
function checkCharacter(characters: string): string {
  let sum = 0
  for (const character of characters) sum = doubled(sum) ^ ALPHABET.indexOf(character)
  return ALPHABET[doubled(sum)]!
}

/** By x in GF(32), modulo x⁵ + x² + 1. */
const doubled = (element: number): number => ((element << 1) ^ (element & 16 ? 0b100101 : 0)) & 31

function luhnFigure(figures: string): string {
  const sum = figures
    .split('')
    .reverse()
    .reduce((total, figure, place) => {
      const weighed = Number(figure) * (place % 2 === 0 ? 2 : 1)
      return total + (weighed > 9 ? weighed - 9 : weighed)
    }, 0)
  return String((10 - (sum % 10)) % 10)
}
