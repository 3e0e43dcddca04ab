import type { TestProject } from 'vitest/node'
import { prepareCluster } from './database.ts'

let stop = async () => {}

/** Once for each run: the PostgreSQL of all tests, and in it what each file's database is copied from. */
export async function setup(project: TestProject): Promise<void> {
  const cluster = await prepareCluster()
  stop = cluster.stop
  project.provide('cluster', { url: cluster.url, template: cluster.template })
}

export const teardown = (): Promise<void> => stop()
