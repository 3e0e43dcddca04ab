import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test.each(['server/commands/sales.ts', 'server/commands/move-database.ts'])(
  '%s prints its usage to standard output and exits with 0 when it is asked for help',
  async (file) => {
    // Rejects with any other exit code.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', './server/db/quick-imports.ts', file, '--help'],
      { cwd: root },
    )
    expect(stdout).toMatch(/^Usage: .*npm run /)
    expect(stderr).toBe('')
  },
)

test('a command registers the event handlers and products: without them a refund or a gift by command fails', async () => {
  const script = `
    await import('./server/commands/run-command.ts')
    const { productOf } = await import('./server/features/products/product.ts')
    console.log(typeof productOf({ kind: 'title' }).deliver)`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './server/db/quick-imports.ts', '--input-type=module', '--eval', script],
    { cwd: root },
  )
  expect(stdout).toBe('function\n')
})
