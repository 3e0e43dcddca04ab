import type { TestProject } from 'vitest/node'
import { prepareCluster } from './database.ts'

let stop = async () => {}

/** Runs once per test run: starts PostgreSQL and creates the template database of the test files. */
export async function setup(project: TestProject): Promise<void> {
  const cluster = await prepareCluster()
  stop = cluster.stop
  project.provide('cluster', { url: cluster.url, template: cluster.template })
}

export const teardown = (): Promise<void> => stop()
