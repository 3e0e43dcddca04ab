import { expect, test } from 'vitest'
import { Refusal } from '../../http/http-errors.ts'
import { refuseGuessablePassword } from './password-strength.ts'

const owner = { email: 'nell.hart@murmur.example', firstName: 'Eleanora', lastName: 'Hart-O’Brien' }
const wordsFor = async (password: string) => {
  try {
    await refuseGuessablePassword(password, owner, 'password')
    return 'taken'
  } catch (refusal) {
    return (refusal as Refusal).violations![0]!.message
  }
}

test('none of the commonest ten thousand passwords is taken, in whatever case and with spaces around', async () => {
  for (const common of [
    'password',
    'PassWord',
    ' password ',
    '12345678',
    'iloveyou',
    'trustno1',
    'qwertyuiop',
    'princess1',
  ])
    expect(await wordsFor(common), common).toBe('This password is too common')
})

test('one character again and again is too common, eight spaces among them', async () => {
  for (const blank of [' '.repeat(8), 'z'.repeat(20), '\u00a0'.repeat(9), '🎧'.repeat(8)])
    expect(await wordsFor(blank)).toBe('This password is too common')
})

test('one’s own name or address is no password, however it is written', async () => {
  for (const own of [
    'Eleanora',
    'eleanora!',
    'nell.hart@murmur.example',
    'Nell Hart',
    'eleanora hart-o’brien',
    'HartOBrienEleanora',
  ])
    expect(await wordsFor(own), own).toBe('Your password can’t be your own name or email address')
})

test('every other password is taken: spaces count, and so does every sign', async () => {
  for (const good of [
    'eight it is',
    '  salt  ledger  ',
    'nell hart reads',
    'murmur-demo',
    '!?!?!?!?',
    'čaj o páté',
    '🎧📚🎧📚🎧📚🎧📚',
  ])
    expect(await wordsFor(good), good).toBe('taken')
})
