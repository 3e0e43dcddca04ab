import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg, { type ClientConfig } from 'pg'
import { BadSetting } from '../settings/bad-setting.ts'
import { refuseUnfinishedRestore } from '../settings/unfinished-restore.ts'
import { clusterFolder, runningConfig, startEmbedded } from './embedded/cluster.ts'
import { asSetting, DatabaseInUse } from './errors.ts'
import { connect } from './migrate.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

export interface Place {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
}

export interface Snapshot {
  readonly client: pg.Client
  close(): Promise<void>
}

/** Includes everything acknowledged before the call. The shop keeps running, and nothing is changed. */
export async function openSnapshot({ dataDir, databaseUrl }: Place): Promise<Snapshot> {
  if (databaseUrl) return begin({ connectionString: databaseUrl, keepAlive: true })
  refuseNoShop({ dataDir })
  for (let attempt = 1; ; attempt++) {
    try {
      const embedded = await startEmbedded({ dataDir, log: quiet, patienceMs: 0 })
      return await begin(embedded.config, () => embedded.close()).catch(async (error: unknown) => {
        await embedded.close()
        throw error
      })
    } catch (error) {
      if (!(error instanceof DatabaseInUse)) throw error
      const config = runningConfig(dataDir)
      if (config) return begin(config)
      // A server that is starting locks the folder before its PostgreSQL answers.
      if (attempt === 10) throw error
      await pause(500)
    }
  }
}

/** @throws {BadSetting} if there is no embedded database yet */
export function refuseNoShop({ dataDir, databaseUrl }: Place): void {
  if (databaseUrl) return
  refuseUnfinishedRestore(dataDir)
  if (!existsSync(clusterFolder(dataDir)))
    throw new BadSetting(`There is no shop in ${dataDir}. Set DATA_DIR to the folder of yours.`)
}

async function begin(config: ClientConfig, andClose = async () => {}): Promise<Snapshot> {
  const client = await connect(config).catch((error: unknown) => {
    throw asSetting(error)
  })
  await client.query('begin isolation level repeatable read read only')
  let closing: Promise<void> | undefined
  return { client, close: () => (closing ??= client.end().then(andClose)) }
}
