import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { soon } from '#tests/support/wait-for.ts'

/** npm starts a shell, which starts the script; a signal to npm reaches only the shell. */
const folder = mkdtempSync(join(tmpdir(), 'murmur-npm-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, 'script.mjs'),
  `import { onNpmGone } from ${JSON.stringify(join(import.meta.dirname, 'npm-parent.ts'))}
  onNpmGone(() => { console.log('npm is gone'); process.exit() })
  setInterval(() => undefined, 1000)
  console.log('runs as ' + process.pid)`,
)
writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node script.mjs' } }))

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux').each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a script ends when its npm is ended by %s',
  async (signal) => {
    const npm = spawn('npm', ['start'], {
      cwd: folder,
      env: { PATH: `${join(process.execPath, '..')}:${process.env.PATH}`, HOME: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    let said = ''
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    const pid = await soon(() => {
      const [, found] = /runs as (\d+)/.exec(said) ?? []
      expect(found).toBeDefined()
      return Number(found)
    })
    try {
      npm.kill(signal)
      await once(npm, 'exit')
      await soon(() => expect(isAlive(pid)).toBe(false))
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    }
  },
)
