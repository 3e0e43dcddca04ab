import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

const fileIn = (dataDir: string): string => join(dataDir, 'address')

/** For commands that print links. */
export const storeAddress = (dataDir: string, publicUrl: string): void =>
  writeFileSync(fileIn(dataDir), `${publicUrl}\n`)

/** Empty if the settings name one or the shop has never started. */
export function addressOfRunningShop(env: Environment, dataDir: string): Environment {
  if (env.PUBLIC_URL || env.PORT) return {}
  try {
    return { PUBLIC_URL: readFileSync(fileIn(dataDir), 'utf8').trim() }
  } catch {
    return {}
  }
}
