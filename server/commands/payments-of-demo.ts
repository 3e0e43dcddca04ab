import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export const paymentsOfDemoFile = (dataDir: string): string => join(dataDir, 'payments-of-demo.json')

/** The running demo's sandbox. Empty if there are payment keys or there is no demo. */
export function paymentsOfRunningDemo(env: Environment, dataDir: string): Environment {
  if (env.STRIPE_SECRET_KEY || env.DEMO === '0') return {}
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
    return JSON.parse(readFileSync(paymentsOfDemoFile(dataDir), 'utf8')) as Environment
  } catch {
    return {}
  }
}
