import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PERSONAL, personalPage } from './personal-pages.ts'
import { readableUrl } from './addresses.ts'

test('NAV-52: a screen that is not rendered on the server has its own title', () => {
  for (const [path, title] of [
    ['/login', 'Log in'],
    ['/shopping-bag', 'Shopping bag'],
    ['/settings/', 'Settings'],
    ['/orders', 'Orders'],
    ['/orders/7c9e', 'Receipt'],
    ['/newsletter/unsubscribe/abc', 'Leave the newsletter'],
    ['/series/unsubscribe/abc', 'Stop waiting for the next one'],
  ] as const)
    expect(personalPage(path, 'Murmur')).toEqual({ title })
  expect(personalPage('/player/the-quiet-ferry', 'Murmur')).toEqual({
    title: 'Player',
    book: { format: 'audio_book', slug: 'the-quiet-ferry' },
  })
  expect(personalPage('/read/nine%20winters', 'Murmur')?.book).toEqual({
    format: 'e_book',
    slug: 'nine winters',
  })
})

test('an address without a screen is not a personal page: the shop answers it with 404', () => {
  for (const path of [
    '/subscription-details/more',
    '/login/again',
    '/player',
    '/player/a/b',
    '/payment/now',
    '/',
  ])
    expect(personalPage(path, 'Murmur')).toBeUndefined()
})

test('each of these addresses has a screen', () => {
  const screens = new Set(
    readdirSync(join(import.meta.dirname, '../../src/routes')).map(
      (name) =>
        '/' +
        name
          .replace(/\.tsx$/, '')
          // A nested address whose screen is not a layout child (`_` suffix).
          .replaceAll('_.', '.')
          .replaceAll('.', '/')
          .replaceAll('$', ':')
          .replace(/\/index$/, ''),
    ),
  )
  expect(Object.keys(PERSONAL).filter((path) => !screens.has(path))).toEqual([])
})

test('a malformed address is shown as “page not found”; the API still reports the error', () => {
  expect(readableUrl('/articles/%E0%A4%A')).toBe('/404')
  expect(readableUrl('/articles/caf%C3%A9?page=%')).toBe('/articles/caf%C3%A9?page=%')
  expect(readableUrl('/api/articles/%E0%A4%A')).toBe('/api/articles/%E0%A4%A')
})
