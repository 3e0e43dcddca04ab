import { randomInt } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findPostgres } from './tests/support/postgres.ts'
import { SOON_MS } from './tests/support/soon.ts'
import { testsOnDatabases } from './tests/support/tests-on-databases.ts'
import { mutating } from './tools/mutants/plugin.ts'

process.env.SEED ??= String(randomInt(2 ** 31))
console.log(`Random tests begin at SEED=${process.env.SEED}`)

const SERVER = '{server,tests/contract}/**/*.test.ts'

/** Nothing of the server lives outside the shop that a test makes, so its files share what they import. */
const onServer = (name: string, more: object): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, isolate: false, globalSetup: ['tests/support/global-setup.ts'], ...more },
})

export default defineConfig({
  plugins: [react(), ...(process.env.MUTANTS ? [mutating()] : [])],
  test: {
    // What a change made of a file is not what the next run shall find.
    fsModuleCache: !process.env.MUTANTS,
    // Two cores on the smallest machine; databases and argon2 take the rest.
    maxWorkers: 2,
    // A busy machine is no fault: what hangs is told all the same, only later.
    testTimeout: 60_000,
    expect: { poll: { timeout: SOON_MS } },
    hookTimeout: 120_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
    projects: [
      {
        extends: true,
        test: {
          name: 'app',
          setupFiles: ['tests/support/patience.ts'],
          include: ['{contract,src,sw,tests,content,bench,sandbox,tools}/**/*.test.{ts,tsx}'],
          exclude: [SERVER, '**/node_modules/**'],
        },
      },
      onServer('embedded', { include: [SERVER] }),
      ...(findPostgres()
        ? [onServer('postgres', { include: testsOnDatabases(), env: { TEST_DATABASE: 'postgres' } })]
        : []),
    ],
  },
})
