import type { TestProject } from 'vitest/node'
import { onPostgres, prepareTemplate, preparedFolder } from './database.ts'
import { type RunningPostgres, startPostgres } from './postgres.ts'

let postgres: RunningPostgres | undefined

/** Once for each run: what every test's database is copied from. */
export async function setup(project: TestProject): Promise<void> {
  if (!onPostgres) {
    await preparedFolder()
    return
  }
  postgres = await startPostgres({ durable: false })
  await prepareTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
}

export const teardown = (): Promise<void> | undefined => postgres?.stop()
