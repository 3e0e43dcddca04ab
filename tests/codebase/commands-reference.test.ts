import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandsReference, REFERENCE } from '../../tools/commands-reference.ts'

test('the reference of all commands is what they say themselves; node tools/commands-reference.ts writes it', async () => {
  expect(readFileSync(REFERENCE, 'utf8')).toBe(await commandsReference())
})
