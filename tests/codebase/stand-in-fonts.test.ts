import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CSS = readFileSync(join(import.meta.dirname, '../../src/ui/fallbacks.css'), 'utf8')
const faces = [...CSS.matchAll(/@font-face \{([^}]*)\}/g)].map(([, rule]) => {
  const said = (name: string) => new RegExp(`${name}: ([^;]+);`).exec(rule!)?.[1]
  return { font: `${said('font-family')} ${said('font-weight')}`, range: said('unicode-range') }
})

// At the width of running text the digits are wider than ours: in a 167 px card a price took two lines, then one.
test('the fallbacks for Source Sans have digits of the same width, so that no price wraps before the font loads', () => {
  const fonts = [...new Set(faces.map(({ font }) => font))].filter((font) => font.includes('Source Sans'))
  expect(fonts).toHaveLength(6)
  for (const font of fonts) {
    const ranges = faces.filter((face) => face.font === font).map(({ range }) => range)
    // A later @font-face has priority.
    expect(ranges, font).toEqual([undefined, 'U+0030-0039, U+00A3'])
  }
})
