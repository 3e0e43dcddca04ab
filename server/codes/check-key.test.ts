import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { testDatabase } from '#tests/support/database.ts'
import { checkCodeKey } from './check-key.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('a shop opens with the key that its codes were made with, and with no other', async () => {
  const open = (codeKey: string) => checkCodeKey(database.db, { codeKey })
  await open('c'.repeat(32))
  await open('c'.repeat(32))
  await expect(open('d'.repeat(32))).rejects.toThrow(/CODE_KEY is not the key/)
  await open('c'.repeat(32))
})
