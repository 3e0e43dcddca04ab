import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { keysFor } from '../settings/keys.ts'
import { newCode, readCode, candidatesOf, newSecrets } from './secrets.ts'

const config = { codeKey: 'c'.repeat(32), appKeys: ['k'.repeat(32)] as const }

test('a code is printed in four groups of four and parsed back', () => {
  const code = newCode()
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(readCode(code)).toBe(code.replaceAll('-', ''))
})

test('a typed code is accepted in any case, with and without hyphens and spaces, O for 0, I and L for 1', () => {
  for (const typed of ['01AB-CDEF-GH12-3450', '01abcdefgh123450', ' oiab cdef - ghl2 345o '])
    expect(readCode(typed)).toBe('01ABCDEFGH123450')
})

test('a text of another length, or with a character outside the alphabet, is not a code', () => {
  for (const typed of ['', '01ABCDEFGH12345', '01ABCDEFGH1234500', '01ABCDEFGH12345U', '01ABCDEFGH12345!'])
    expect(readCode(typed)).toBeNull()
})

test('the stored hashes find the code and the token, and contain neither', () => {
  const { secrets, hashes } = newSecrets(config, 'gift')
  expect(candidatesOf(config, 'gift', secrets.code.toLowerCase())).toMatchObject({ column: 'code' })
  expect(candidatesOf(config, 'gift', secrets.code).hashes).toContain(hashes.codeHash)
  expect(candidatesOf(config, 'gift', ` ${secrets.token}\n`).column).toBe('token')
  expect(candidatesOf(config, 'gift', secrets.token).hashes).toContain(hashes.tokenHash)
  expect(JSON.stringify(hashes)).not.toContain(secrets.token)
})

test('a code is still found after APP_KEYS have changed', () => {
  const { secrets, hashes } = newSecrets(config, 'gift')
  const later = { ...config, appKeys: ['n'.repeat(32)] as const }
  expect(candidatesOf(later, 'gift', secrets.code).hashes).toContain(hashes.codeHash)
})

test('a gift sent before codes had their own key is still found', () => {
  const [key] = keysFor(config, 'gift-code')
  const stored = createHmac('sha256', key).update('01ABCDEFGH123450').digest('base64url')
  expect(candidatesOf(config, 'gift', '01AB-CDEF-GH12-3450').hashes).toContain(stored)
})
