import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The way for another process of the same user to reach the database of a running server. */
export interface Address {
  /** A folder that holds the socket, or a loopback address. */
  host: string
  port: number
  password: string
}

export interface RunningDatabase extends Address {
  processId: number
}

const fileIn = (dataDir: string): string => join(dataDir, 'run.json')

export function writeRunFile(dataDir: string, running: RunningDatabase): void {
  const unfinished = `${fileIn(dataDir)}.${running.processId}`
  writeFileSync(unfinished, `${JSON.stringify(running)}\n`, { mode: 0o600 })
  renameSync(unfinished, fileIn(dataDir))
}

/** The content of the file. It may outlive a server that was killed, so the address must still be tried. */
export function readRunFile(dataDir: string): RunningDatabase | undefined {
  try {
    const { host, port, password, processId } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    if (typeof host !== 'string' || typeof port !== 'number' || typeof password !== 'string') return undefined
    return { host, port, password, processId: Number(processId) }
  } catch {
    return undefined
  }
}

export const removeRunFile = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true })
