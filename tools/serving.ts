import { request } from 'node:http'
import { renameSync, rmSync, symlinkSync } from 'node:fs'

/** Switches the symlink atomically; it always has a valid target. */
export function lead(name: string, target: string): void {
  const unfinished = `${name}.new`
  rmSync(unfinished, { force: true })
  symlinkSync(target, unfinished)
  renameSync(unfinished, name)
}

/** Whether the server at this socket is ready for visitors. Queries the same path as its proxy. */
export const isReadyAt = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request({ socketPath, path: '/api/health/ready', timeout: 5_000, agent: false })
    asked.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(false))
    asked.end()
  })
