import { createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import type { Config } from '../settings/config.ts'

/** Crockford's alphabet: without letters that look like digits. */
export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const RANDOM_CHARACTERS = 16
const NUMBER_FIGURES = 12

export const randomCharacters = (): string =>
  [...randomBytes(RANDOM_CHARACTERS)].map((byte) => ALPHABET[byte & 31]).join('')

/** The code inside a card: 80 random bits and a check character, grouped: `XXXX-XXXX-XXXX-XXXXX`. */
export function newCardCode(): string {
  const random = randomCharacters()
  return (random + checkCharacter(random)).replace(/^(.{4})(.{4})(.{4})/, '$1-$2-$3-')
}

/** The number on the outside of a card: random digits, the last one a check digit (Luhn). */
export function newCardNumber(): string {
  const random = String(randomInt(10 ** (NUMBER_FIGURES - 1))).padStart(NUMBER_FIGURES - 1, '0')
  return random + luhnFigure(random)
}

/** Normalises a typed code: upper case, without hyphens and spaces, O read as 0, I and L as 1. */
export const readTyped = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

export function isWholeCard(read: string): boolean {
  const start = read.slice(0, -1)
  if (/^\d+$/.test(read) && read.length === NUMBER_FIGURES) return luhnFigure(start) === read.at(-1)
  const known = read.split('').every((character) => ALPHABET.includes(character))
  return known && read.length === RANDOM_CHARACTERS + 1 && checkCharacter(start) === read.at(-1)
}

/** Keyed, so that a leaked table does not allow trying out codes. */
export function cardHash({ codeKey }: Pick<Config, 'codeKey'>, read: string): string {
  const key = Buffer.from(hkdfSync('sha256', codeKey, '', 'murmur card-code', 32))
  return createHmac('sha256', key).update(read).digest('base64url')
}

/** Weights are powers of x in GF(32): detects any single wrong character and any two swapped ones. */
function checkCharacter(characters: string): string {
  let sum = 0
  for (const character of characters) sum = doubled(sum) ^ ALPHABET.indexOf(character)
  return ALPHABET[doubled(sum)]!
}

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
