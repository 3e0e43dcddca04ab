import { expect, test } from 'vitest'
import { contrastOf } from '#ui/title-theme.ts'
import { coloursFrom } from './cover-colours.ts'

const pixels = (...parts: readonly (readonly [rgb: readonly [number, number, number], count: number])[]) =>
  new Uint8ClampedArray(
    parts.flatMap(([rgb, count]) => Array.from({ length: count }, () => [...rgb, 255]).flat()),
  )

test('OFFICE-70: the band takes the cover’s colour rather than its white margin, and the text the one that can be read on it', () => {
  const [first, ...others] = coloursFrom(
    pixels([[0x1f, 0x2e, 0x50], 500], [[255, 255, 255], 600], [[0xf2, 0xb2, 0x4a], 60]),
  )
  expect(first).toMatchObject({ backgroundColour: '#1F2E50', textColour: '#FFFFFF' })
  expect(others.map(({ backgroundColour }) => backgroundColour)).toContain('#F2B24A')
})

test('OFFICE-70: colours taken from any picture can be read', () => {
  const parts = [0, 70, 128, 190, 255]
  const all = parts.flatMap((red) =>
    parts.flatMap((green) => parts.map((blue) => [red, green, blue] as const)),
  )
  for (const [index, rgb] of all.entries())
    for (const other of [rgb, all[(index * 7) % all.length]!])
      for (const made of coloursFrom(pixels([rgb, 9], [other, 4]))) {
        expect(contrastOf(made.textColour, made.backgroundColour)).toBeGreaterThanOrEqual(4.5)
        expect(contrastOf(made.textColour, made.containerColour)).toBeGreaterThanOrEqual(4.5)
      }
})
