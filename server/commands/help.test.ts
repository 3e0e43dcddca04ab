import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { SERVER_ENVIRONMENT } from '../../tools/server-command.ts'

const node = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--import', './server/db/quick-imports.ts', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...SERVER_ENVIRONMENT },
  })
const murmur = (...typed: string[]) => node('tools/murmur.ts', ...typed)

test.each([['sales'], ['database', 'move'], ['people', 'find'], []])(
  'murmur %s %s prints its usage to standard output and exits with 0 when it is asked for help',
  async (...command) => {
    // Rejects with any other exit code.
    const { stdout, stderr } = await murmur(...command, '--help')
    expect(stdout).toMatch(/^Usage: npm run /)
    expect(stderr).toBe('')
  },
)

test('a command that does not exist exits with 1, and standard error suggests the nearest one', async () => {
  await expect(murmur('poeple')).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /unknown command 'poeple'\n\(Did you mean people\?\)\n\nUsage: npm run murmur/,
    ),
  })
  await expect(murmur('people', 'fnd', 'x')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Did you mean find\?.*Usage: npm run people -- <command>/s),
  })
})

test('a command registers the event handlers and products: without them a refund or a gift by command fails', async () => {
  const script = `
    await import('./server/commands/open-shop.ts')
    const { productOf } = await import('./server/features/products/product.ts')
    console.log(typeof productOf({ kind: 'title' }).deliver)`
  const { stdout } = await node('--input-type=module', '--eval', script)
  expect(stdout).toBe('function\n')
})
