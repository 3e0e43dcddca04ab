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

test('refuses the ten thousand most common passwords, ignoring case and surrounding spaces', async () => {
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

test('one repeated character is too common, also eight spaces', async () => {
  for (const blank of [' '.repeat(8), 'z'.repeat(20), '\u00a0'.repeat(9), '🎧'.repeat(8)])
    expect(await wordsFor(blank)).toBe('This password is too common')
})

test('refuses the user’s own name or address, however it is spelt', async () => {
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

test('accepts every other password: spaces and all characters count', async () => {
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
