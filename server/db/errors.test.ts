import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { BadSetting } from '../settings/bad-setting.ts'
import { asSetting, isUnavailable } from './errors.ts'

const coded = (code: string) => Object.assign(new Error(code), { code })
const wrapped = (cause: unknown) => new Error('Failed query: select 1', { cause })

test('a lost, refused or restarting database is distinguished from a wrong query', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '08006', '53300']) {
    expect(isUnavailable(wrapped(coded(code))), code).toBe(true)
  }
  for (const code of ['23505', '42P01', '25P03', '40001']) {
    expect(isUnavailable(wrapped(coded(code))), code).toBe(false)
  }
  expect(isUnavailable(wrapped(new Error('Connection terminated unexpectedly')))).toBe(true)
  expect(isUnavailable(new Error('the shop is closed'))).toBe(false)
  expect(isUnavailable(undefined)).toBe(false)
})

test('a missing socket means that the database is unavailable; a missing file does not', async () => {
  const missing = '/tmp/murmur-nowhere/.s.PGSQL.5432'
  const noSocket = await new Promise((resolve) => connect(missing).once('error', resolve))
  expect(isUnavailable(wrapped(noSocket))).toBe(true)
  const noFile = await readFile(missing).catch((error: unknown) => error)
  expect(isUnavailable(noFile)).toBe(false)
})

test('a password that is missing from DATABASE_URL is reported in a sentence', () => {
  const missing = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  expect(asSetting(missing)).toBeInstanceOf(BadSetting)
  expect(String(asSetting(missing))).toContain('postgresql://USER:PASSWORD@HOST/NAME')
})
