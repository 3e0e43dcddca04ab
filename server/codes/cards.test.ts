import { expect, test } from 'vitest'
import { cardHash, isWholeCard, newCardCode, newCardNumber, readTyped } from './cards.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const withCharacter = (code: string, place: number, character: string) =>
  code.slice(0, place) + character + code.slice(place + 1)

test('the check character of a card’s code detects any single wrong character and any two swapped ones', () => {
  for (let made = 0; made < 50; made += 1) {
    const printed = newCardCode()
    expect(printed).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{5}$/)
    const code = readTyped(printed)
    expect(isWholeCard(code)).toBe(true)
    for (let place = 0; place < code.length; place += 1) {
      for (const other of ALPHABET)
        expect(isWholeCard(withCharacter(code, place, other))).toBe(other === code[place])
      const [here, next = ''] = [code[place]!, code[place + 1]]
      const swapped = code.slice(0, place) + next + here + code.slice(place + 2)
      expect(isWholeCard(swapped)).toBe(swapped === code)
    }
  }
})

test('a card’s number has twelve digits, and any single wrong one is detected', () => {
  for (let made = 0; made < 50; made += 1) {
    const number = newCardNumber()
    expect(number).toMatch(/^\d{12}$/)
    for (let place = 0; place < 12; place += 1)
      for (const other of '0123456789')
        expect(isWholeCard(withCharacter(number, place, other))).toBe(other === number[place])
  }
})

test('a typed code is accepted in any case, with hyphens and spaces, O for 0, I and L for 1', () => {
  for (const typed of ['4821 0057 7731', ' 482l-oO57 773I ', '48210057773l'])
    expect(readTyped(typed)).toBe('482100577731')
})

test('only a keyed hash of the code is stored', () => {
  const code = readTyped(newCardCode())
  const stored = cardHash({ codeKey: 'c'.repeat(32) }, code)
  expect(stored).toBe(cardHash({ codeKey: 'c'.repeat(32) }, code))
  expect(stored).not.toBe(cardHash({ codeKey: 'd'.repeat(32) }, code))
  expect(stored).not.toContain(code)
})
