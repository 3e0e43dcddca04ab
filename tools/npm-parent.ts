import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** On systems other than Linux each check starts a process. */
const LOOK_MS = process.platform === 'linux' ? 500 : 2_000
const SHELL = /^-?(?:ba|da|a|z|k|fi)?sh$|busybox/

/**
 * Calls `end` when the parent npm process has ended for any reason. npm starts scripts through a shell: SIGTERM to npm
 * reaches only that shell, SIGHUP and SIGKILL only npm. Does nothing if npm did not start this script directly.
 */
export function onNpmGone(end: () => void): void {
  if (!process.env.npm_lifecycle_script || process.platform === 'win32') return
  const { ppid } = process
  const parent = statusOf(ppid)
  if (!parent) return
  const isShell = SHELL.test(parent.name)
  const isGone = () => process.ppid !== ppid || (isShell && statusOf(ppid)?.parent !== parent.parent)
  const look = setInterval(() => {
    if (!isGone()) return
    clearInterval(look)
    end()
  }, LOOK_MS).unref()
}

/** Undefined if the process does not exist or cannot be queried. */
function statusOf(pid: number): { name: string; parent: number } | undefined {
  try {
    if (process.platform === 'linux') {
      // The name is in parentheses and may itself contain parentheses.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const end = stat.lastIndexOf(')')
      return {
        name: stat.slice(stat.indexOf('(') + 1, end),
        parent: Number(stat.slice(end + 2).split(' ')[1]),
      }
    }
    const [, parent, path] = /^\s*(\d+)\s+(.+)$/m.exec(
      execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' }),
    )!
    return { name: path!.slice(path!.lastIndexOf('/') + 1), parent: Number(parent) }
  } catch {
    return undefined
  }
}
