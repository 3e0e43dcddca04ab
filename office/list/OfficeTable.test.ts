import { expect, test } from 'vitest'
import { selectedWords } from './OfficeTable.tsx'

test('a selection that stops at the limit says of how many rows it is the first part', () => {
  expect(selectedWords(1000, true, 4210)).toBe('The first 1,000 of 4,210 are selected')
})

test('a selection of a whole list, or of some rows, only says how many they are', () => {
  expect(selectedWords(1000, true, 1000)).toBe('1,000 selected')
  expect(selectedWords(1000, false, 4210)).toBe('1,000 selected')
  expect(selectedWords(3, false, 4210)).toBe('3 selected')
})
