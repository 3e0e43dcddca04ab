import { expect, test } from 'vitest'
import { withPlainNames } from './plain-names.ts'

const nameOf = (firstName: string) => (withPlainNames({ firstName }) as { firstName: string }).firstName

test('a name in a mail carries no link, and is no longer than a name', () => {
  expect(nameOf('Nell')).toBe('Nell')
  expect(nameOf('Mary  Jane O’Brien-Smith')).toBe('Mary Jane O’Brien-Smith')
  expect(nameOf('J.R.R.')).toBe('J.R.R.')
  expect(nameOf('You won! https://evil.example/claim')).toBe('You won!')
  expect(nameOf('www.evil.example')).toBe('www. evil. example')
  expect(nameOf('evil.example/claim')).toBe('reader')
  expect(nameOf('a@evil.example')).toBe('reader')
  expect(Array.from(nameOf('n'.repeat(100)))).toHaveLength(40)
})

test('whoever gives has a name of the same kind, and the rest of a mail stays as it is', () => {
  expect(withPlainNames({ giverName: 'http://evil.example', token: 'a/b:c' })).toEqual({
    giverName: 'A friend',
    token: 'a/b:c',
  })
})
