import type { ClientConfig } from 'pg'
import { refuseNoShop } from '../db/snapshot.ts'
import { runningConfig, startEmbedded } from '../db/embedded/cluster.ts'
import { readPlace } from '../settings/config.ts'
import { command, reading, typed } from './run-command.ts'

const USAGE = `Usage: npm run database -- url
       npm run database -- open

  url    prints the address of the running shop's database, for psql and other tools:
         psql "$(npm run --silent database -- url)"
  open   runs the embedded PostgreSQL of a shop that does not run, prints its address, and ends at Ctrl-C`

const read = reading(USAGE, {}, ({ positionals: [what, ...more] }) =>
  (what === 'url' || what === 'open') && more.length === 0 ? { what } : USAGE,
)

await command(async () => {
  const { what } = typed(read)
  const { dataDir, databaseUrl } = readPlace()
  if (databaseUrl) return console.log(databaseUrl)
  refuseNoShop({ dataDir })
  if (what === 'open') return open(dataDir)
  const config = runningConfig(dataDir)
  if (config) return console.log(addressOf(config))
  console.error(`The shop in ${dataDir} does not run. Start it, or: npm run database -- open`)
  return 1
})

async function open(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({
    dataDir,
    log: { info() {}, warn: console.error, error: console.error },
    patienceMs: 0,
  })
  console.log(addressOf(embedded.config))
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve)
  })
  await embedded.close()
}

function addressOf({ host, port, user, database }: ClientConfig): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`
}
