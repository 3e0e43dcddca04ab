import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '#tests/support/server-process.ts'
import { soon } from '#tests/support/wait-for.ts'

/** npm, its shell, tools/start.ts, the server and the database are five processes. */
test.runIf(process.env.LONG && process.platform === 'linux').each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'the server and its database end when npm start is ended by %s',
  async (signal) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'murmur-npm-start-'))
    const PORT = await freePort()
    const npm = spawn('npm', ['start'], {
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: dataDir,
        DATA_DIR: dataDir,
        DEMO: '0',
        PORT,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    try {
      let said = ''
      npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
      // npm start may have to build the app first.
      await expect.poll(() => said, { timeout: 170_000 }).toContain('is open at')
      const gone = once(npm, 'exit')
      npm.kill(signal)
      await gone
      await soon(() => expect(existsSync(join(dataDir, 'lock.pid'))).toBe(false))
      await expect(fetch(`http://127.0.0.1:${PORT}/`)).rejects.toThrow()
    } finally {
      try {
        process.kill(-npm.pid!, 'SIGKILL')
      } catch {
        // All processes have ended.
      }
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)
