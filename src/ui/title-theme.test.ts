import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrastOf, titleTheme } from './title-theme.ts'

test.each([
  [
    '1F3D43',
    '17313A',
    'F3E4C8',
    { '--tb': '#1F3D43', '--tc': '#17313A', '--tt': '#F3E4C8', '--tm': '#C4BFAB' },
  ],
  ['808080', 'FFFFFF', 'FFFFFF', { '--tb': '#858585', '--tt': '#171A24' }],
  ['7A8C6A', '8A9C7A', 'EEEEEE', { '--tt': '#171A24', '--tm': '#1B1F27' }],
] as const)('colours %s, %s, %s become readable', (bg, container, text, expected) => {
  expect(titleTheme(bg, container, text)).toMatchObject(expected)
})
