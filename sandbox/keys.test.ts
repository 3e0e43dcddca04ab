import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSandbox } from './server.ts'

test.each(['sk_live_x', 'rk_live_x'])('the sandbox never starts with a live key (%s)', (secret) => {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-keys-'))
  const keys = { secret, publishable: 'pk_test_x', webhook: 'whsec_x' }
  expect(() => openSandbox({ folder, keys })).toThrow(/never starts with live keys/)

  const started = spawnSync(process.execPath, ['sandbox/main.ts'], {
    env: { ...process.env, STRIPE_SECRET_KEY: secret, SANDBOX_DIR: folder },
    encoding: 'utf8',
    timeout: 10_000,
  })
  expect(started.status).toBe(1)
  expect(started.stderr).toContain('never starts with live keys')
  rmSync(folder, { recursive: true })
})
