import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

const fileIn = (dataDir: string): string => join(dataDir, 'address')

export const storeAddress = (dataDir: string, publicUrl: string): void =>
  writeFileSync(fileIn(dataDir), `${publicUrl}\n`)

/** The address of the last start; empty if the settings name one or the shop has never started. */
export function addressOfRunningShop(env: Environment, dataDir: string): Environment {
  if (env.PUBLIC_URL || env.PORT) return {}
  try {
    return { PUBLIC_URL: readFileSync(fileIn(dataDir), 'utf8').trim() }
  } catch {
    return {}
  }
}
