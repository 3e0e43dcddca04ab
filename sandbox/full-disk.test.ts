import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test.skipIf(!existsSync('/dev/full'))('on a full disk it exits with one plain sentence and no stack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-full-'))
  try {
    writeFileSync(join(folder, 'sandbox.jsonl'), '[["customers","cus_1",{"id":"cus_1"}]]\n')
    // Every write to this file fails as on a full disk.
    symlinkSync('/dev/full', join(folder, 'sandbox.jsonl.new'))
    const { status, stderr } = spawnSync(process.execPath, ['sandbox/main.ts'], {
      env: { PATH: process.env.PATH, SANDBOX_DIR: folder, NODE_NO_WARNINGS: '1' },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([
      1,
      `The payment sandbox can’t write to ${folder}: the disk is full. Make room and start again.\n`,
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
