import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import { freshDataDir, prepareTemplate } from './database.ts'
import { startPostgres } from './postgres.ts'

const closings: (() => Promise<unknown>)[] = []

/** Once for each run and database: what the tests' databases are copied from, and for the embedded one what runs. */
export async function setup(project: TestProject): Promise<void> {
  if (project.name === 'postgres') {
    const postgres = await startPostgres({ durable: false })
    closings.push(() => postgres.stop())
    await prepareTemplate(postgres.url)
    project.provide('postgresUrl', postgres.url)
    return
  }
  // As many as files run at once; who needs a second one starts it.
  const folders = await Promise.all(Array.from({ length: project.config.maxWorkers }, () => freshDataDir()))
  for (const dataDir of folders) {
    const database = await openDatabase({ dataDir })
    closings.push(() => closeAndRemove(database, dataDir))
  }
  project.provide('runningFolders', folders)
}

export async function teardown(): Promise<void> {
  await Promise.all(closings.map((close) => close()))
}

async function closeAndRemove(database: OpenDatabase, dataDir: string): Promise<void> {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
}
