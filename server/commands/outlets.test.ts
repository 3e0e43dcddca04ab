import { afterAll, beforeAll, expect, test } from 'vitest'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { typed } from '#tests/support/run-command.ts'
import { outletsCommand } from './outlets.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const outlets = (...argv: string[]) => typed(shop, outletsCommand, argv)
const words = (line: string) => outlets(...line.split(' '))
const listed = async () => (await outlets('list')).said

test('a bookshop is added with the default terms and a slug from its name, or with the given ones', async () => {
  let number = 0
  const add = (name: string, ...more: string[]) =>
    outlets('add', '--name', name, '--email', `desk${(number += 1)}@post.example`, ...more)
  expect(await listed()).toBe('There are no bookshops yet.')
  expect((await add('Corner House Books')).said).toMatch(
    /^Corner House Books is open as corner-house-books\. desk1@post\.example chooses a password at /,
  )
  await add('Brandt’s & Söhne')
  await add('書店', '--slug', 'shoten', '--discount', '55', '--commission', '0')
  expect((await listed()).split('\n').toSorted()).toEqual([
    'brandts-sohne  Brandt’s & Söhne: 60% off, 10% commission',
    'corner-house-books  Corner House Books: 60% off, 10% commission',
    'shoten  書店: 55% off, 0% commission',
  ])
  await expect(add('書店')).rejects.toThrow('--slug')
  await expect(add('Corner', '--discount', '101')).rejects.toThrow(
    'A share is a whole number from 0 to 100, not “101”.',
  )
})

test('a bookshop’s terms and address are changed separately or together', async () => {
  expect((await words('change shoten --discount 50')).said).toBe('書店: 50% off, 0% commission from now on.')
  expect((await words('change shoten --commission 5 --email new@post.example')).said).toMatch(
    /^書店: 50% off, 5% commission from now on\.\nnew@post\.example chooses a password/,
  )
  await expect(words('change shoten --discount 5.5')).rejects.toThrow(
    'A share is a whole number from 0 to 100, not “5.5”.',
  )
})

test('any other input returns the usage', async () => {
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
    await expect(words(line), line).rejects.toThrow(/Usage: npm run outlets/)
  await expect(words('add --name Corner --email a@post.example --slgu c')).rejects.toThrow(
    /--slgu.*Did you mean --slug.*\n\nUsage/s,
  )
})
