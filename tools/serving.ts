import { request } from 'node:http'
import { renameSync, rmSync, symlinkSync } from 'node:fs'

/** In one step: the name never leads nowhere. */
export function lead(name: string, target: string): void {
  const unfinished = `${name}.new`
  rmSync(unfinished, { force: true })
  symlinkSync(target, unfinished)
  renameSync(unfinished, name)
}

/** Whether the server that listens at this socket can be sent visitors: it is asked where its proxy will ask. */
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
