import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

test('bands are light and dark in turn, in the shop’s order otherwise, and none is lost', () => {
  const light = (name: string) => ({ name, ...coloured('#BFE0D0', '#0E2A22') })
  const dark = (name: string) => ({ name, ...coloured('#0F2E47', '#F2E8D2') })
  const names = (books: readonly ReturnType<typeof light>[]) => inTurn(books).map(({ name }) => name)
  expect(names([light('a'), light('b'), dark('c'), light('d'), dark('e')])).toEqual(['a', 'c', 'b', 'e', 'd'])
  expect(names([light('a'), light('b')])).toEqual(['a', 'b'])
  expect(names([])).toEqual([])
})

const coloured = (bookBackgroundColour: string, textColour: string) => ({
  ...{ bookBackgroundColour, containerBackgroundColour: bookBackgroundColour, textColour },
})
