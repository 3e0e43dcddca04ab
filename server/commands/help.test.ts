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
