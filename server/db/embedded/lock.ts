import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseInUse } from '../errors.ts'

/** SQLite's exclusive transaction is a kernel lock: it ends with the process and works between containers. */
export async function takeLock(file: string, patienceMs: number): Promise<(() => void) | undefined> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const held = tryLock(file)
    if (held) return () => held.close()
    if (performance.now() >= deadline) return undefined
    await pause(100)
  }
}

function tryLock(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    // SQLITE_BUSY. Other errors (full disk, no permission) are not about another process.
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return undefined
    throw error
  }
}

/** Contains the process id, because the lock itself doesn't tell who holds it. */
const holderFile = (dataDir: string) => join(dataDir, 'lock.pid')

/** @throws {DatabaseInUse} with the process id of the holder */
export async function takeDataFolder(dataDir: string, patienceMs: number): Promise<() => void> {
  const release = await takeLock(join(dataDir, 'lock.db'), patienceMs)
  if (!release) throw new DatabaseInUse(dataDir, holderOf(dataDir))
  writeFileSync(holderFile(dataDir), `${process.pid}\n`, { mode: 0o600 })
  return () => {
    rmSync(holderFile(dataDir), { force: true })
    release()
  }
}

function holderOf(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(holderFile(dataDir), 'utf8')) || undefined
  } catch {
    return undefined
  }
}
