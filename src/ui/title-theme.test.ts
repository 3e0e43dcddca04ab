import { expect, test } from 'vitest'
import { contrastOf, titleTheme } from './title-theme.ts'
import { fc } from '#tests/support/random.ts'

test.each([
  [
    '1F3D43',
    '17313A',
    'F3E4C8',
    {
      '--title-bg': '#1F3D43',
      '--title-container': '#17313A',
      '--title-text': '#F3E4C8',
      '--title-muted': '#C4BFAB',
    },
  ],
  ['808080', 'FFFFFF', 'FFFFFF', { '--title-bg': '#858585', '--title-text': '#171A24' }],
  ['7A8C6A', '8A9C7A', 'EEEEEE', { '--title-text': '#171A24', '--title-muted': '#1B1F27' }],
] as const)('colours %s, %s, %s become readable', (bg, container, text, expected) => {
  expect(titleTheme(bg, container, text)).toMatchObject(expected)
})

test('a missing or invalid background falls back to ink with white', () => {
  const ink = { '--title-bg': '#171A24', '--title-text': '#FFFFFF' }
  for (const bg of [undefined, null, '', 'F00', 'rgb(1,2,3)', '12345G']) {
    expect(titleTheme(bg, 'FFFFFF', '00FF00')).toMatchObject(ink)
  }
})

test('a missing container is the background mixed with 12 % of the text colour', () => {
  expect(titleTheme('000000', null, 'FFFFFF')).toMatchObject({
    '--title-bg': '#000000',
    '--title-container': '#1F1F1F',
  })
})

test('any three colours become readable, and readable text keeps its colour and backgrounds', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((n) => n.toString(16).padStart(6, '0').toUpperCase())
  fc.assert(
    fc.property(
      colour,
      colour,
      fc.oneof(colour, fc.constantFrom('FFFFFF', '000000')),
      (bg, container, text) => {
        const theme = titleTheme(bg, container, text)
        for (const ground of [theme['--title-bg'], theme['--title-container']]) {
          expect(contrastOf(theme['--title-text'], ground)).toBeGreaterThanOrEqual(4.5)
          expect(contrastOf(theme['--title-muted'], ground)).toBeGreaterThanOrEqual(4.5)
        }
        if (contrastOf(text, bg) < 4.5 || contrastOf(text, container) < 4.5) return
        expect(theme).toMatchObject({
          '--title-bg': `#${bg}`,
          '--title-container': `#${container}`,
          '--title-text': `#${text}`,
        })
      },
    ),
    { numRuns: 3_000 },
  )
})

test('a grid of 65,536 combinations never fails', () => {
  const levels = [0, 0x55, 0xaa, 0xff]
  const colours = levels.flatMap((r) => levels.flatMap((g) => levels.map((b) => (r << 16) | (g << 8) | b)))
  const hex = colours.map((colour) => colour.toString(16).padStart(6, '0'))
  let unreadable = 0
  for (const bg of hex) {
    for (const container of hex) {
      for (const text of hex.filter((_colour, index) => index % 4 === 0)) {
        const theme = titleTheme(bg, container, text)
        if (
          contrastOf(theme['--title-text'], theme['--title-bg']) < 4.5 ||
          contrastOf(theme['--title-muted'], theme['--title-container']) < 4.5
        ) {
          unreadable += 1
        }
      }
    }
  }
  expect(unreadable).toBe(0)
})
