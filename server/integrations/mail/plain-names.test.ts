import { expect, test } from 'vitest'
import { withoutLinks, withPlainNames } from './template.ts'

const nameOf = (firstName: string) => (withPlainNames({ firstName }) as { firstName: string }).firstName

test('a name in an email contains no link, and is no longer than a name', () => {
  expect(nameOf('Nell')).toBe('Nell')
  expect(nameOf('Mary  Jane O’Brien-Smith')).toBe('Mary Jane O’Brien-Smith')
  expect(nameOf('J.R.R.')).toBe('J.R.R.')
  expect(nameOf('You won! https://evil.example/claim')).toBe('You won!')
  expect(nameOf('www.evil.example')).toBe('www. evil. example')
  expect(nameOf('evil.example/claim')).toBe('reader')
  expect(nameOf('a@evil.example')).toBe('reader')
  expect(Array.from(nameOf('n'.repeat(100)))).toHaveLength(40)
})

test('the giver’s name is treated likewise, and the other data stay as they are', () => {
  expect(withPlainNames({ giverName: 'http://evil.example', token: 'a/b:c' })).toEqual({
    giverName: 'A friend',
    token: 'a/b:c',
  })
})

test('a message without links keeps its words, lines and times of day', () => {
  const kept =
    'Dear Ada,\n\nfor the long train rides. Listen at 8:30 and enjoy: it is long (see p. 3, and/or <b>4</b>)!\nYours, J.R.'
  expect(withoutLinks(kept)).toBe(kept)
  expect(withoutLinks('Your account is locked, log in at https://evil.example/x now')).toBe(
    'Your account is locked, log in at … now',
  )
  expect(withoutLinks('evil.example or evil.example/a, write to a@evil.example')).toBe(
    'evil. example or … write to …',
  )
})
