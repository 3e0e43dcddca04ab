import { expect, test } from 'vitest'
import { guessPronunciation } from './pronunciations.ts'

const DICTIONARY: Readonly<Record<string, string>> = { bed: 'B EH D', post: 'P OW S T' }
const lookup = (word: string) => DICTIONARY[word] ?? null

test('in step: a word that the dictionary lacks gets a pronunciation, from the words it is made of if it can', () => {
  expect(guessPronunciation('bedpost', 'en', lookup)).toBe('B EH D P OW S T')
  expect(guessPronunciation('thrip', 'en', lookup)).toMatch(/^TH R I[HY] P$/)
  expect(guessPronunciation('mouette', 'fr', lookup)).toMatch(/^mm /)
})
