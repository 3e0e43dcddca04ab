import { expect, test } from 'vitest'
import { read } from './outlets-arguments.ts'

const words = (line: string) => read(line.split(' '))

test('a bookshop is added with the default terms and a slug from its name, or with the given ones', () => {
  const usual = { verb: 'add', email: 'desk@post.example', discountPercent: 60, commissionPercent: 10 }
  const add = (name: string, ...more: string[]) =>
    read(['add', '--name', name, '--email', 'desk@post.example', ...more])
  expect(add('Corner House Books')).toEqual({
    ...usual,
    name: 'Corner House Books',
    slug: 'corner-house-books',
  })
  expect(add('Brandt’s & Söhne')).toMatchObject({ slug: 'brandts-sohne' })
  expect(add('書店', '--slug', 'shoten', '--discount', '55', '--commission', '0')).toEqual({
    ...{ ...usual, name: '書店', slug: 'shoten' },
    ...{ discountPercent: 55, commissionPercent: 0 },
  })
  expect(add('書店')).toContain('--slug')
  expect(add('Corner', '--discount', '101')).toBe('A share is a whole number from 0 to 100, not “101”.')
})

test('a bookshop’s terms and address are changed separately or together', () => {
  expect(words('change corner --discount 55')).toEqual({
    verb: 'change',
    slug: 'corner',
    discountPercent: 55,
  })
  expect(words('change corner --commission 0 --email new@post.example')).toEqual({
    ...{ verb: 'change', slug: 'corner' },
    ...{ commissionPercent: 0, email: 'new@post.example' },
  })
  expect(words('change corner --discount 5.5')).toBe('A share is a whole number from 0 to 100, not “5.5”.')
})

test('any other input returns the usage', () => {
  expect(words('list')).toEqual({ verb: 'list' })
  expect(words('close corner-house-books')).toEqual({ verb: 'close', slug: 'corner-house-books' })
  for (const line of [
    '',
    'close',
    'list all',
    'add --name Corner',
    'close one two',
    'change corner',
    'change --discount 55',
    'open --name Corner',
  ])
    expect(words(line), line).toMatch(/^Usage: npm run outlets/)
  expect(words('add --nmae Corner')).toMatch(/--nmae.*\n\nUsage/s)
})
