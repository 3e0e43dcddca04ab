import { expect, test } from 'vitest'
import { CAROUSEL_SIZES, GRID_SIZES } from './Cover.tsx'

test.each([
  ['a carousel', CAROUSEL_SIZES],
  ['a grid', GRID_SIZES],
])('a cover of %s on a phone of 390 pixels and double density uses the small picture', (_of, sizes) => {
  const share = Number.parseFloat(sizes.split(', ').at(-1)!)
  expect((share / 100) * 390 * 2).toBeLessThanOrEqual(330)
})
